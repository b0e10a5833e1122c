// Episodes by id.
// Parameters:
//   tenant: text
//   ids: list of episode ids
// Columns: the columns of an episode; instants in microseconds since 1970
UNWIND $ids AS id
MATCH (e:Episode {tenant: $tenant, id: id})
RETURN e.id AS id, e.text AS text, e.kind AS kind, e.source AS source,
  e.occurred_at.epochSeconds * 1000000 + e.occurred_at.microsecond AS occurred_at,
  e.recorded_at.epochSeconds * 1000000 + e.recorded_at.microsecond AS recorded_at,
  e.session AS session, e.retention AS retention, e.metadata AS metadata
