// The twin of facts for a past state of the ledger: ledger entries by id, each with the entries of its slot that were
// live at known_at, from its start to the next entry without an end: enough to compute its first segment.
// Parameters:
//   tenant: text
//   ids: list of fact ids
//   known_at: DATETIME with offset Z
// Columns: slot, boundary (start of that next entry), neighbours (list of [id, valid_from, until, has_value]),
//   then the columns of an entry; instants in microseconds since 1970
UNWIND $ids AS id
MATCH (f:Fact {id: id})
WHERE f.tenant = $tenant
CALL (f) {
  WITH f.slot AS slot, f.valid_from AS start
  MATCH (o:Fact)
  USING INDEX SEEK o:Fact(slot, valid_from, has_value)
  WHERE o.slot = slot AND o.valid_from > start AND o.has_value IS NOT NULL AND o.until IS NULL
    AND o.recorded_at <= $known_at AND coalesce(o.retracted_at > $known_at, true)
  WITH o
  ORDER BY o.slot, o.valid_from, o.has_value
  LIMIT 1
  RETURN min(o.valid_from) AS boundary
}
CALL (f, boundary) {
  WITH f.slot AS slot, f.valid_from AS start, coalesce(boundary, datetime('+10000-01-01T00:00Z')) AS end
  MATCH (n:Fact)
  USING INDEX SEEK n:Fact(slot, valid_from, has_value)
  WHERE n.slot = slot AND n.valid_from >= start AND n.valid_from < end AND n.has_value IS NOT NULL
    AND n.recorded_at <= $known_at AND coalesce(n.retracted_at > $known_at, true)
  RETURN collect([n.id, n.valid_from.epochSeconds * 1000000 + n.valid_from.microsecond,
    n.until.epochSeconds * 1000000 + n.until.microsecond, n.has_value]) AS neighbours
}
RETURN f.slot AS slot, boundary.epochSeconds * 1000000 + boundary.microsecond AS boundary, neighbours,
  f.id AS id, f.subject AS subject, f.attribute AS attribute, f.has_value AS has_value,
  f.value AS value, f.value_type AS value_type,
  f.valid_from.epochSeconds * 1000000 + f.valid_from.microsecond AS asserted_from,
  f.until.epochSeconds * 1000000 + f.until.microsecond AS until,
  f.recorded_at.epochSeconds * 1000000 + f.recorded_at.microsecond AS recorded_at,
  CASE WHEN f.retracted_at <= $known_at
    THEN f.retracted_at.epochSeconds * 1000000 + f.retracted_at.microsecond END AS retracted_at,
  f.episode_id AS episode_id, f.source AS source, head([(f)-[:SUPERSEDES]->(s) | s.id]) AS supersedes,
  f.schema_version AS schema_version, f.memory_type AS memory_type, f.retention AS retention
