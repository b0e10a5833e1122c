// The entries of a tenant that gained an episode in an interval of recorded time, in the order of time.
// Parameters:
//   tenant: text
//   attributes: list of attribute names; null for all
//   since: DATETIME with offset Z
//   until: DATETIME with offset Z, exclusive; null for no bound
//   limit: the most rows to return
// Columns: at (microseconds since 1970), id, episode (id of the episode that it gained)
MATCH (f:Fact)-[c:FROM_EPISODE]->(p:Episode)
USING INDEX SEEK c:FROM_EPISODE(tenant, recorded_at)
WHERE c.tenant = $tenant AND c.recorded_at >= $since AND c.recorded_at < coalesce($until, datetime('+10000-01-01T00:00Z'))
  AND f.recorded_at < c.recorded_at
  AND ($attributes IS NULL OR f.attribute IN $attributes)
WITH f, c, p
ORDER BY c.tenant, c.recorded_at
LIMIT toInteger($limit)
RETURN c.recorded_at.epochSeconds * 1000000 + c.recorded_at.microsecond AS at, f.id AS id, p.id AS episode
