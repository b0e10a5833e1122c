// The number of extractions of some tenants that are queued or running.
// Parameters:
//   tenants: list of names
// Columns: number
UNWIND $tenants AS tenant
MATCH (x:Due)
USING INDEX SEEK x:Due(tenant, due_at)
WHERE x.tenant = tenant AND x.due_at IS NOT NULL
RETURN count(x) AS number
