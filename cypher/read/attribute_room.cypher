// How many attributes there are, for the bounds on new ones: relationship types are tokens of the whole database,
// of which there is a limited number and none is ever given back.
// Parameters:
//   tenant: text
// Columns: first_used (attributes that the tenant was the first to use); types (relationship types of the database,
//   those of transactions that were rolled back too)
CALL () {
  MATCH (a:Attribute)
  WHERE a.first_tenant = $tenant
  RETURN count(a) AS first_used
}
CALL () {
  CALL db.relationshipTypes() YIELD relationshipType
  RETURN count(relationshipType) AS types
}
RETURN first_used, types
