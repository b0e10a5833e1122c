// The number of all passages, and of one tenant's passages, counted up to a limit.
// Parameters:
//   tenant: text
//   limit: the number at which counting stops
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
