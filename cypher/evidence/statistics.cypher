// How many passages a tenant has, and in how many of them each of some terms stands, counted up to a limit.
// Parameters:
//   tenant: text
//   generation: of the text index that is asked; of any other there is no row
//   tokens: list of what stands for the terms in the index
//   limit: where to stop counting
// Columns: total, counts (list of [token, in how many])
MATCH (i:Index {kind: 'text', generation: $generation})
CALL () {
  MATCH (p:Passage)
  USING INDEX SEEK p:Passage(tenant)
  WHERE p.tenant = $tenant
  WITH p
  LIMIT $limit
  RETURN count(p) AS total
}
CALL (i) {
  UNWIND $tokens AS token
  CALL (i, token) {
    CALL db.index.fulltext.queryNodes(i.name, token, {limit: $limit}) YIELD score
    RETURN count(*) AS number
  }
  RETURN collect([token, number]) AS counts
}
RETURN total, counts
