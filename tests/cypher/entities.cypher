// The keys of a tenant's entities.
// Parameters:
//   tenant: text
// Columns: key
MATCH (e:Entity)
WHERE e.tenant = $tenant AND e.key >= ''
RETURN e.key AS key
