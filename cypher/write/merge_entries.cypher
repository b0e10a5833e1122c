// The live entries about an entity, or with the entity as their value; for attributes of cardinality many, including
// the ends of that value.
// Parameters:
//   tenant: text
//   key: key of the entity
//   limit: the most rows to return
// Columns: id
CALL () {
  MATCH (:Entity {tenant: $tenant, key: $key})-[:HAS_SLOT]->(s:Slot)
  RETURN s.key AS slot
  UNION
  MATCH (:Entity {tenant: $tenant, key: $key})<-[:OBJECT]-(o:Fact)
  RETURN o.slot AS slot
}
MATCH (f:Live)
USING INDEX SEEK f:Live(slot, valid_from, has_value)
WHERE f.slot = slot AND f.valid_from IS NOT NULL AND f.has_value IS NOT NULL
  AND (f.subject = $key OR f.value_type STARTS WITH 'ref' AND f.value = $key)
RETURN f.id AS id
LIMIT toInteger($limit)
