// Ledger entries by id, with the episodes that support them.
// Parameters:
//   tenant: text
//   ids: list of fact ids
// Columns: slot, citations (list of [episode id, quote, start, recorded_at]), then the columns of an entry; instants
//   in microseconds since 1970
UNWIND $ids AS id
MATCH (f:Fact {id: id})
WHERE f.tenant = $tenant
RETURN f.slot AS slot,
  [(f)-[c:FROM_EPISODE]->(p:Episode) |
    [p.id, c.quote, c.start, c.recorded_at.epochSeconds * 1000000 + c.recorded_at.microsecond]] AS citations,
  f.id AS id, f.subject AS subject, f.attribute AS attribute, f.has_value AS has_value,
  f.value AS value, f.value_type AS value_type,
  f.valid_from.epochSeconds * 1000000 + f.valid_from.microsecond AS asserted_from,
  f.until.epochSeconds * 1000000 + f.until.microsecond AS until,
  f.recorded_at.epochSeconds * 1000000 + f.recorded_at.microsecond AS recorded_at,
  f.retracted_at.epochSeconds * 1000000 + f.retracted_at.microsecond AS retracted_at,
  f.episode_id AS episode_id, f.source AS source, head([(f)-[:SUPERSEDES]->(s) | s.id]) AS supersedes,
  f.schema_version AS schema_version, f.memory_type AS memory_type, f.retention AS retention
