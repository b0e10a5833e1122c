// The episodes that support facts about an entity, or facts that refer to it, retracted facts included.
// Parameters:
//   tenant: text
//   key: the entity's key
//   known_at: DATETIME with offset Z; null for now
// Columns: id
MATCH (about:Entity {tenant: $tenant, key: $key})
CALL (about) {
  MATCH (about)-[:HAS_SLOT]->(s:Slot)
  WITH s.key AS slot
  MATCH (f:Fact)
  USING INDEX SEEK f:Fact(slot, valid_from, has_value)
  WHERE f.slot = slot AND f.valid_from IS NOT NULL AND f.has_value IS NOT NULL
  RETURN f
UNION
  MATCH (about)<-[:OBJECT]-(f:Fact)
  RETURN f
}
MATCH (f)-[c:FROM_EPISODE]->(e:Episode)
WHERE $known_at IS NULL OR c.recorded_at <= $known_at
RETURN DISTINCT e.id AS id
