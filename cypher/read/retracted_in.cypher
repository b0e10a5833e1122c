// The entries of a tenant that were retracted in an interval of recorded time, in the order of time.
// Parameters:
//   tenant: text
//   attributes: list of attribute names; null for all
//   since: DATETIME with offset Z
//   until: DATETIME with offset Z, exclusive; null for no bound
//   limit: the most rows to return
// Columns: at (microseconds since 1970), id, episode (null)
MATCH (f:Fact)
USING INDEX SEEK f:Fact(tenant, retracted_at)
WHERE f.tenant = $tenant AND f.retracted_at >= $since AND f.retracted_at < coalesce($until, datetime('+10000-01-01T00:00Z'))
  AND ($attributes IS NULL OR f.attribute IN $attributes)
WITH f
ORDER BY f.tenant, f.retracted_at
LIMIT toInteger($limit)
RETURN f.retracted_at.epochSeconds * 1000000 + f.retracted_at.microsecond AS at, f.id AS id, null AS episode
