// What holds of some subjects at one instant, as known now: of each attribute so many at the most, those that hold since
// latest, and how many there are. It reads the edges, so what is not shown costs little; ends have no edge.
// Parameters:
//   tenant: text
//   subjects: list of entity keys
//   types: list of relationship types; null for all
//   at: DATETIME with offset Z; null for now
//   limit: how many of an attribute at the most
// Columns: total (of the attribute), valid_from, valid_to, then those of an entry; instants in microseconds since 1970
WITH coalesce($at, datetime({datetime: datetime.realtime(), timezone: 'Z'})) AS at
UNWIND $subjects AS subject
MATCH (s:Entity {tenant: $tenant, key: subject})-[r]->()
WHERE r.fact_id IS NOT NULL AND ($types IS NULL OR type(r) IN $types)
  AND r.valid_from <= at AND coalesce(r.valid_to > at, true)
WITH subject, type(r) AS attribute, r
ORDER BY r.valid_from DESC, r.fact_id
WITH subject, attribute, collect(r) AS held
UNWIND held[..toInteger($limit)] AS r
MATCH (f:Fact {id: r.fact_id})
RETURN size(held) AS total,
  r.valid_from.epochSeconds * 1000000 + r.valid_from.microsecond AS valid_from,
  r.valid_to.epochSeconds * 1000000 + r.valid_to.microsecond AS valid_to,
  f.id AS id, f.subject AS subject, f.attribute AS attribute, f.has_value AS has_value,
  f.value AS value, f.value_type AS value_type,
  f.valid_from.epochSeconds * 1000000 + f.valid_from.microsecond AS asserted_from,
  f.until.epochSeconds * 1000000 + f.until.microsecond AS until,
  f.recorded_at.epochSeconds * 1000000 + f.recorded_at.microsecond AS recorded_at,
  f.retracted_at.epochSeconds * 1000000 + f.retracted_at.microsecond AS retracted_at,
  f.episode_id AS episode_id, f.source AS source, head([(f)-[:SUPERSEDES]->(before) | before.id]) AS supersedes,
  f.schema_version AS schema_version, f.memory_type AS memory_type, f.retention AS retention
