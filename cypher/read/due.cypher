// The extractions that have been due longest; and the first extractions, due or not, of the tenants that follow a
// given tenant in order.
// Parameters:
//   after: name of the given tenant
//   limit: the most rows of each
// Columns: oldest (BOOLEAN: one of those that have been due longest), tenant, episode, due (BOOLEAN)
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
