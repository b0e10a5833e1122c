// How many passages there are, and how many a tenant has, counted up to a limit.
// Parameters:
//   tenant: text
//   limit: where to stop counting
// Columns: total, of_tenant
CALL () {
  MATCH (p:Passage)
  RETURN count(p) AS total
}
CALL () {
  MATCH (p:Passage)
  USING INDEX SEEK p:Passage(tenant)
  WHERE p.tenant = $tenant
  WITH p
  LIMIT $limit
  RETURN count(p) AS of_tenant
}
RETURN total, of_tenant
