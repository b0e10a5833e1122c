// Every edge of a tenant that stands for a segment.
// Parameters:
//   tenant: text
// Columns: subject, type, edge (its properties), object (key of an entity, or null), fact (id of a fact, or null)
MATCH (e:Entity)
WHERE e.tenant = $tenant AND e.key >= ''
MATCH (e)-[r]->(v:Entity|Fact)
RETURN e.key AS subject, type(r) AS type, properties(r) AS edge,
  CASE WHEN v:Entity THEN v.key END AS object, CASE WHEN v:Fact THEN v.id END AS fact
