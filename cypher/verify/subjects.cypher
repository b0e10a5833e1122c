// The next subjects after one, in order, of one tenant or of all.
// Parameters:
//   tenant: text; the tenant of the last subject seen
//   key: text; its key, '' to begin
//   limit: how many at the most
// Columns: key
MATCH (e:Entity)
USING INDEX SEEK e:Entity(tenant, key)
WHERE e.tenant = $tenant AND e.key > $key
RETURN e.key AS key
ORDER BY e.tenant, e.key
LIMIT $limit
