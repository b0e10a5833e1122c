// The entities of a tenant that follow a given key, in the order of their keys.
// Parameters:
//   tenant: text
//   key: text; the last key of the page before, '' for the first page
//   limit: the most rows to return
// Columns: key
MATCH (e:Entity)
USING INDEX SEEK e:Entity(tenant, key)
WHERE e.tenant = $tenant AND e.key > $key
RETURN e.key AS key
ORDER BY e.tenant, e.key
LIMIT $limit
