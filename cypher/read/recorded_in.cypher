// The entries of a tenant that were recorded in an interval of recorded time, in the order of time.
// Parameters:
//   tenant: text
//   attributes: list of attribute names; null for all
//   kinds: list of began, ended and confirmed (the same value again, with a later start); null for all
//   since: DATETIME with offset Z
//   until: DATETIME with offset Z, exclusive; null for no bound
//   limit: the most rows to return
// Columns: at (microseconds since 1970), id, episode (null)
MATCH (f:Fact)
USING INDEX SEEK f:Fact(tenant, recorded_at)
WHERE f.tenant = $tenant AND f.recorded_at >= $since
  AND f.recorded_at < coalesce($until, datetime('+10000-01-01T00:00Z'))
  AND ($attributes IS NULL OR f.attribute IN $attributes)
  AND ($kinds IS NULL OR CASE
    WHEN NOT f.has_value THEN 'ended'
    WHEN EXISTS { (f)-[:SUPERSEDES {kind: 'restatement'}]->() } THEN 'confirmed'
    ELSE 'began'
  END IN $kinds)
WITH f
ORDER BY f.tenant, f.recorded_at
LIMIT toInteger($limit)
RETURN f.recorded_at.epochSeconds * 1000000 + f.recorded_at.microsecond AS at, f.id AS id, null AS episode
