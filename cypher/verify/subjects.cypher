// The entities of a tenant that follow a given key, in the order of their keys.
// Parameters:
//   tenant: text
//   key: text; the last key of the page before, '' for the first page
//   limit: the most rows to return
// Columns: key; size (how many relationships leave it, and how many ledger entries its slots have)
MATCH (e:Entity)
USING INDEX SEEK e:Entity(tenant, key)
WHERE e.tenant = $tenant AND e.key > $key
WITH e
ORDER BY e.tenant, e.key
LIMIT $limit
CALL (e) {
  MATCH (e)-[:HAS_SLOT]->(s:Slot)
  MATCH (f:Fact)
  USING INDEX SEEK f:Fact(slot, valid_from, has_value)
  WHERE f.slot = s.key AND f.valid_from IS NOT NULL AND f.has_value IS NOT NULL
  RETURN count(f) AS entries
}
RETURN e.key AS key, COUNT { (e)-->() } + entries AS size
ORDER BY key
