// The next entities of a tenant after one, in the order of their keys.
// Parameters:
//   tenant: text
//   key: text; the key of the last one seen, '' to begin
//   limit: how many at the most
// Columns: key
MATCH (e:Entity)
USING INDEX SEEK e:Entity(tenant, key)
WHERE e.tenant = $tenant AND e.key > $key
RETURN e.key AS key
ORDER BY e.tenant, e.key
LIMIT $limit
