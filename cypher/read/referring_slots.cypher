// The slots in which one of some entities is, or ever was, the value.
// Parameters:
//   tenant: text
//   keys: list of entity keys
//   attributes: list of attribute names; null for all
// Columns: slot
UNWIND $keys AS key
MATCH (:Entity {tenant: $tenant, key: key})<-[:OBJECT]-(f:Fact)
WHERE $attributes IS NULL OR f.attribute IN $attributes
RETURN DISTINCT f.slot AS slot
