// The numbers of attributes and relationship types, for the limits on new attributes. A database can have a limited
// number of relationship types, and never frees one.
// Parameters:
//   tenant: text
// Columns: first_used (attributes that the tenant was the first to use); types (relationship types of the database,
//   including those of transactions that were rolled back)
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
