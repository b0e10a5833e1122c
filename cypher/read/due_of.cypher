// The extractions of some tenants that have been due longest.
// Parameters:
//   tenants: list of names
//   limit: the most rows of each tenant
// Columns: tenant, episode
WITH datetime({datetime: datetime.realtime(), timezone: 'Z'}) AS now
UNWIND $tenants AS tenant
CALL (now, tenant) {
  MATCH (x:Due)
  USING INDEX SEEK x:Due(tenant, due_at)
  WHERE x.tenant = tenant AND x.due_at <= now
  RETURN x.episode AS episode
  ORDER BY x.tenant, x.due_at
  LIMIT $limit
}
RETURN tenant, episode
