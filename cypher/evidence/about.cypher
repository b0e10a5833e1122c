// Episodes that support facts of an entity, or facts whose value it is, retracted ones too: so many at the most. Where
// there are more, each hit of a search is looked at instead.
// Parameters:
//   tenant: text
//   key: the entity's key
//   known_at: DATETIME with offset Z; null for now
//   limit: how many at the most
// Columns: id
MATCH (about:Entity {tenant: $tenant, key: $key})
CALL (about) {
  MATCH (about)-[:HAS_SLOT]->(s:Slot)
  WITH s.key AS slot
  MATCH (f:Fact)
  USING INDEX SEEK f:Fact(slot, valid_from, has_value)
  WHERE f.slot = slot AND f.valid_from IS NOT NULL AND f.has_value IS NOT NULL
  RETURN f
UNION ALL
  MATCH (about)<-[:OBJECT]-(f:Fact)
  RETURN f
}
MATCH (f)-[c:FROM_EPISODE]->(e:Episode)
WHERE $known_at IS NULL OR c.recorded_at <= $known_at
WITH DISTINCT e.id AS id
LIMIT $limit
RETURN id
