// Episodes of one tenant whose text matches some words, the best first. The tenant's token is required inside
// the index; word statistics are shared by all tenants, so another's writes may shift scores, never the set.
// Parameters:
//   tenant: text
//   query: Lucene query that requires the tenant's token
//   k: how many at the most
// Columns: score, then those of an episode; instants in microseconds since 1970
CALL db.index.fulltext.queryNodes('episode_text', $query, {limit: $k}) YIELD node AS e, score
WHERE e.tenant = $tenant
RETURN score, e.id AS id, e.text AS text, e.kind AS kind, e.source AS source,
  e.occurred_at.epochSeconds * 1000000 + e.occurred_at.microsecond AS occurred_at,
  e.recorded_at.epochSeconds * 1000000 + e.recorded_at.microsecond AS recorded_at,
  e.session AS session, e.retention AS retention, e.metadata AS metadata
