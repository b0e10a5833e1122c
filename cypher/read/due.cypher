// The extractions that have been due longest, and the first ones, due or not, of the tenants after one in order.
// Parameters:
//   after: tenant
//   limit: how many of each
// Columns: oldest (BOOLEAN: of the first sort), tenant, episode, due (BOOLEAN)
WITH datetime({datetime: datetime.realtime(), timezone: 'Z'}) AS now
CALL (now) {
  MATCH (x:Due)
  USING INDEX SEEK x:Due(due_at)
  WHERE x.due_at <= now
  RETURN x, true AS oldest
  ORDER BY x.due_at
  LIMIT $limit
  UNION ALL
  MATCH (x:Due)
  USING INDEX SEEK x:Due(tenant, due_at)
  WHERE x.tenant > $after AND x.due_at IS NOT NULL
  RETURN x, false AS oldest
  ORDER BY x.tenant, x.due_at
  LIMIT $limit
}
RETURN oldest, x.tenant AS tenant, x.episode AS episode, x.due_at <= now AS due
