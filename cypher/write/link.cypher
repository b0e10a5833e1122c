// Links new episodes of sessions to the turns before and after them, in the order in which they were said; at one
// instant in the order in which they were recorded. The lock on a session's node makes writers take turns.
// Parameters:
//   tenant: text
//   sessions: names of the sessions, in order
//   ids: ids of the new episodes, each of one of the sessions
// Columns: none
UNWIND $sessions AS name
MERGE (s:Session {tenant: $tenant, name: name})
SET s.locked = true
REMOVE s.locked
WITH count(*) AS locked
UNWIND $ids AS id
MATCH (e:Episode {tenant: $tenant, id: id})
CALL (e) {
  CALL (e) {
    WITH e, e.session AS session, e.said_at AS said_at, e.recorded_at AS recorded_at
    MATCH (p:Episode)
    USING INDEX SEEK p:Episode(tenant, session, said_at, recorded_at)
    WHERE p.tenant = $tenant AND p.session = session AND p.said_at <= said_at AND p.recorded_at IS NOT NULL
      AND CASE p.said_at WHEN said_at
        THEN p.recorded_at < recorded_at OR p.recorded_at = recorded_at AND p.id < e.id ELSE true END
    WITH p
    ORDER BY p.tenant DESC, p.session DESC, p.said_at DESC, p.recorded_at DESC
    LIMIT 1
    RETURN collect(p) AS before
  }
  CALL (e) {
    WITH e, e.session AS session, e.said_at AS said_at, e.recorded_at AS recorded_at
    MATCH (n:Episode)
    USING INDEX SEEK n:Episode(tenant, session, said_at, recorded_at)
    WHERE n.tenant = $tenant AND n.session = session AND n.said_at >= said_at AND n.recorded_at IS NOT NULL
      AND CASE n.said_at WHEN said_at
        THEN n.recorded_at > recorded_at OR n.recorded_at = recorded_at AND n.id > e.id ELSE true END
    WITH n
    ORDER BY n.tenant, n.session, n.said_at, n.recorded_at
    LIMIT 1
    RETURN collect(n) AS after
  }
  FOREACH (p IN before | MERGE (p)-[:NEXT]->(e))
  FOREACH (n IN after | MERGE (e)-[:NEXT]->(n))
  WITH e, before, after
  CALL (e, before, after) {
    UNWIND before AS p
    MATCH (p)-[passed:NEXT]->(n)
    WHERE n <> e
    RETURN passed
  UNION
    UNWIND after AS n
    MATCH (p)-[passed:NEXT]->(n)
    WHERE p <> e
    RETURN passed
  }
  DELETE passed
}
