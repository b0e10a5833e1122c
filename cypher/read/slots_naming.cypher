// The slots of one attribute in which an entry that was ever recorded names an entity as the value of an instant.
// Parameters:
//   tenant: text
//   attribute: name
//   key: of the entity
//   at: DATETIME with offset Z
// Columns: slot, subject
MATCH (:Entity {tenant: $tenant, key: $key})<-[:OBJECT]-(f:Fact)
WHERE f.attribute = $attribute AND f.valid_from <= $at AND f.has_value AND coalesce(f.until > $at, true)
RETURN DISTINCT f.slot AS slot, f.subject AS subject
