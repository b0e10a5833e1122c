// The attributes of which anything was ever said of some entities.
// Parameters:
//   tenant: text
//   subjects: list of entity keys
// Columns: subject, attributes (list of names); no row of an entity of which nothing was said
UNWIND $subjects AS subject
MATCH (e:Entity {tenant: $tenant, key: subject})-[:HAS_SLOT]->(s:Slot)
RETURN subject, collect(DISTINCT s.attribute) AS attributes
