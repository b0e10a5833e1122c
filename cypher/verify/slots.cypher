// The slots of a subject that follow a given one, in the order of their keys: those that it has, and those that its
// edges lead to.
// Parameters:
//   tenant: text
//   key: entity key
//   slot: the last slot of the page before, '' for the first page
//   limit: the most rows to return
// Columns: slot; entries (how many)
MATCH (e:Entity {tenant: $tenant, key: $key})
CALL (e) {
  MATCH (e)-[:HAS_SLOT]->(s:Slot)
  RETURN s.key AS slot
  UNION
  MATCH (e)-[r]->()
  MATCH (f:Fact {id: r.fact_id})
  WHERE f.tenant = e.tenant AND f.subject = e.key
  RETURN f.slot AS slot
}
WITH slot
WHERE slot > $slot
WITH slot
ORDER BY slot
LIMIT $limit
CALL (slot) {
  MATCH (f:Fact)
  USING INDEX SEEK f:Fact(slot, valid_from, has_value)
  WHERE f.slot = slot AND f.valid_from IS NOT NULL AND f.has_value IS NOT NULL
  RETURN count(f) AS entries
}
RETURN slot, entries
ORDER BY slot
