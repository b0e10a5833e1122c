// The same as as_of_known, with an instant of its own for each slot: the entry and segment that held in the slot then,
// by the state of the ledger at known_at; no row for a slot where nothing was known.
// Parameters:
//   slots: list of slot keys
//   instants: list of DATETIME with offset Z, one for each slot
//   known_at: DATETIME with offset Z
// Columns: position (in slots), valid_from, valid_to, then the columns of an entry; instants in microseconds since
//   1970
UNWIND range(0, size($slots) - 1) AS position
WITH position, $slots[position] AS slot, $instants[position] AS at
CALL (at, slot) {
  MATCH (f:Fact)
  USING INDEX SEEK f:Fact(slot, valid_from, has_value)
  WHERE f.slot = slot AND f.valid_from <= at AND f.has_value IS NOT NULL
    AND f.recorded_at <= $known_at AND coalesce(f.retracted_at > $known_at, true)
    AND coalesce(f.until > at, true)
  RETURN f
  ORDER BY f.slot DESC, f.valid_from DESC, f.has_value DESC
  LIMIT 1
}
CALL (at, slot) {
  MATCH (n:Fact)
  USING INDEX SEEK n:Fact(slot, valid_from, has_value)
  WHERE n.slot = slot AND n.valid_from > at AND n.has_value IS NOT NULL
    AND n.recorded_at <= $known_at AND coalesce(n.retracted_at > $known_at, true)
  WITH n
  ORDER BY n.slot, n.valid_from, n.has_value
  LIMIT 1
  RETURN min(n.valid_from) AS next
}
CALL (at, slot, f) {
  WITH at, slot, f.valid_from AS start, f.has_value AS has_value
  MATCH (p:Fact)
  USING INDEX SEEK p:Fact(slot, valid_from, has_value)
  WHERE p.slot = slot AND p.valid_from >= start AND p.valid_from <= at AND p.has_value IS NOT NULL
    AND p.recorded_at <= $known_at AND coalesce(p.retracted_at > $known_at, true)
    AND CASE p.valid_from WHEN start THEN p.has_value > has_value ELSE true END
  RETURN max(p.until) AS previous
}
WITH position, f, coalesce(previous, f.valid_from) AS valid_from,
  CASE WHEN next < f.until THEN next ELSE coalesce(f.until, next) END AS valid_to
RETURN position, valid_from.epochSeconds * 1000000 + valid_from.microsecond AS valid_from,
  valid_to.epochSeconds * 1000000 + valid_to.microsecond AS valid_to,
  f.id AS id, f.subject AS subject, f.attribute AS attribute, f.has_value AS has_value,
  f.value AS value, f.value_type AS value_type,
  f.valid_from.epochSeconds * 1000000 + f.valid_from.microsecond AS asserted_from,
  f.until.epochSeconds * 1000000 + f.until.microsecond AS until,
  f.recorded_at.epochSeconds * 1000000 + f.recorded_at.microsecond AS recorded_at,
  CASE WHEN f.retracted_at <= $known_at
    THEN f.retracted_at.epochSeconds * 1000000 + f.retracted_at.microsecond END AS retracted_at,
  f.episode_id AS episode_id, f.source AS source, head([(f)-[:SUPERSEDES]->(s) | s.id]) AS supersedes,
  f.schema_version AS schema_version, f.memory_type AS memory_type, f.retention AS retention
