// The entries of some slots that were live at an instant of recorded time, in no order; the library computes the
// segments.
// Parameters:
//   slots: list of slot keys
//   known_at: DATETIME with offset Z
// Columns: position (in slots), then the columns of an entry; instants in microseconds since 1970
UNWIND range(0, size($slots) - 1) AS position
WITH position, $slots[position] AS slot
MATCH (f:Fact)
USING INDEX SEEK f:Fact(slot, valid_from, has_value)
WHERE f.slot = slot AND f.valid_from IS NOT NULL AND f.has_value IS NOT NULL
  AND f.recorded_at <= $known_at AND coalesce(f.retracted_at > $known_at, true)
RETURN position,
  f.id AS id, f.subject AS subject, f.attribute AS attribute, f.has_value AS has_value,
  f.value AS value, f.value_type AS value_type,
  f.valid_from.epochSeconds * 1000000 + f.valid_from.microsecond AS asserted_from,
  f.until.epochSeconds * 1000000 + f.until.microsecond AS until,
  f.recorded_at.epochSeconds * 1000000 + f.recorded_at.microsecond AS recorded_at,
  CASE WHEN f.retracted_at <= $known_at
    THEN f.retracted_at.epochSeconds * 1000000 + f.retracted_at.microsecond END AS retracted_at,
  f.episode_id AS episode_id, f.source AS source, head([(f)-[:SUPERSEDES]->(s) | s.id]) AS supersedes,
  f.schema_version AS schema_version, f.memory_type AS memory_type, f.retention AS retention
