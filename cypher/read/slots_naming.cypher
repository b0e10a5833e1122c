// The slots of one attribute in which an entry, retracted or not, has an entity as the value at an instant.
// Parameters:
//   tenant: text
//   attribute: name
//   key: the entity's key
//   at: DATETIME with offset Z
// Columns: slot, subject
MATCH (:Entity {tenant: $tenant, key: $key})<-[:OBJECT]-(f:Fact)
WHERE f.attribute = $attribute AND f.valid_from <= $at AND f.has_value AND coalesce(f.until > $at, true)
RETURN DISTINCT f.slot AS slot, f.subject AS subject
