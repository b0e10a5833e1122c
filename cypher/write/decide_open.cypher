// The first query of the transaction that decides a candidate: takes the write lock on its signal, where it has one,
// and on the candidate, then reads it and the weak ones that say the same.
// Parameters:
//   tenant: text
//   id: candidate id
// Columns: weak (list of [signal, candidate id, episode id, quote, valid_from]), then those of a candidate; instants
//   in microseconds since 1970; no row where there is no such candidate
MATCH (c:Candidate {id: $id})
WHERE c.tenant = $tenant
OPTIONAL MATCH (c)-[:OF]->(s:Signal)
SET s.lock = true
REMOVE s.lock
SET c.lock = true
REMOVE c.lock
WITH c, s
CALL (c, s) {
  MATCH (s)<-[:OF]-(w:Candidate)
  WHERE w.status = 'weak' AND w.id <> c.id
  RETURN collect([s.key, w.id, w.episode_id, w.quote,
    w.valid_from.epochSeconds * 1000000 + w.valid_from.microsecond]) AS weak
}
RETURN weak, c.id AS id, c.status AS status, c.reason AS reason, c.episode_id AS episode_id, c.source AS source,
  c.quote AS quote, c.start AS start, c.end AS end, c.subject AS subject, c.attribute AS attribute,
  c.change AS change, c.value AS value, c.value_type AS value_type,
  c.valid_from.epochSeconds * 1000000 + c.valid_from.microsecond AS valid_from,
  c.until.epochSeconds * 1000000 + c.until.microsecond AS until,
  c.schema_version AS schema_version, c.confirmers AS confirmers, c.proposal AS proposal,
  c.recorded_at.epochSeconds * 1000000 + c.recorded_at.microsecond AS recorded_at,
  c.expires_at.epochSeconds * 1000000 + c.expires_at.microsecond AS expires_at,
  c.decided_at.epochSeconds * 1000000 + c.decided_at.microsecond AS decided_at,
  c.decided_by AS decided_by, c.decision AS decision, c.fact_id AS fact_id
