// The turns directly before and after some turns in their sessions that pass the filters. With known_at, turns that
// were recorded later are skipped.
// Parameters:
//   tenant: text
//   turns: list of episode ids
//   kinds: list of text; null for all
//   sources: list of text; null for all
//   session: text; null for all
//   said_from: DATETIME with offset Z; null for any
//   said_before: DATETIME with offset Z, exclusive; null for any
//   known_at: DATETIME with offset Z; null for now
//   ids: list of episode ids; null for all
//   about: key of the entity that a fact which they support is of, or has as its value; null for any
// Columns: id (of a turn that has any), beside (list of [id, recorded_at (microseconds since 1970)])
UNWIND $turns AS turn
MATCH (e:Episode {tenant: $tenant, id: turn})
CALL (e) {
  MATCH (e) ((:Episode)-[:NEXT]->(later:Episode WHERE later.recorded_at > $known_at))* (:Episode)
    -[:NEXT]->(n:Episode)
  RETURN n
UNION
  MATCH (n:Episode)-[:NEXT]->(:Episode)
    ((later:Episode WHERE later.recorded_at > $known_at)-[:NEXT]->(:Episode))* (e)
  RETURN n
}
WITH turn, n
WHERE n.tenant = $tenant AND ($kinds IS NULL OR n.kind IN $kinds)
  AND ($sources IS NULL OR n.source IN $sources) AND ($session IS NULL OR n.session = $session)
  AND ($said_from IS NULL OR n.said_at >= $said_from) AND ($said_before IS NULL OR n.said_at < $said_before)
  AND ($known_at IS NULL OR n.recorded_at <= $known_at) AND ($ids IS NULL OR n.id IN $ids)
  AND ($about IS NULL OR EXISTS {
    MATCH (n)<-[c:FROM_EPISODE]-(f:Fact)
    WHERE (f.subject = $about OR EXISTS { (f)-[:OBJECT]->(:Entity {tenant: $tenant, key: $about}) })
      AND ($known_at IS NULL OR c.recorded_at <= $known_at)
  })
RETURN turn AS id,
  collect([n.id, n.recorded_at.epochSeconds * 1000000 + n.recorded_at.microsecond]) AS beside
