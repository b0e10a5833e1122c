// The numbers of attributes and relationship types, for the limits on new attributes. A database can have a limited
// number of relationship types, and never frees one.
// Parameters:
//   tenant: text
// Columns: first_used (attributes that the tenant was the first to use); types (relationship types of the database,
//   including those of transactions that were rolled back)
CALL db.relationshipTypes() YIELD relationshipType
WITH count(relationshipType) AS types
CALL (types) {
  MATCH (a:Attribute)
  USING INDEX SEEK a:Attribute(first_tenant)
  WHERE a.first_tenant = $tenant
  RETURN count(a) AS first_used
}
RETURN first_used, types
