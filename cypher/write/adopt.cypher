// Gives episodes of one tenant that an older program has stored what searches need. Those of sessions have to be linked
// to the turns beside them in the same transaction.
// Parameters:
//   tenant: text
//   generation: of the newest text index that the terms are for
//   rows: list of {episode (id), passages: list of {number, start, end, terms_a, terms_b (text or null)}}
// Columns: id, session (of each that lacked it, and is in no line of turns yet)
UNWIND $rows AS row
MATCH (e:Episode {tenant: $tenant, id: row.episode})
SET e.locked = true
REMOVE e.locked
WITH e, row
WHERE e.tenant_token IS NOT NULL
CALL (e, row) {
  UNWIND row.passages AS part
  MERGE (p:Passage {tenant: e.tenant, episode: e.id, number: part.number})
  SET p.start = part.start, p.end = part.end, p.terms_a = part.terms_a, p.terms_b = part.terms_b
  MERGE (p)-[:PART_OF]->(e)
  RETURN count(*) AS parts
}
WITH e, e.embedded IS NULL AS unlinked
SET e.said_at = coalesce(e.occurred_at, e.recorded_at), e.embedded = coalesce(e.embedded, 0), e.worded = $generation
REMOVE e.tenant_token
RETURN e.id AS id, CASE WHEN unlinked THEN e.session END AS session
