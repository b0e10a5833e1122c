// What undoing a merge concerns, read before anything is locked: the names of its entities, and the entities that are
// subject or value of what it moved and of what that became.
// Parameters:
//   tenant: text
//   id: of the merge
//   episode: id of the episode behind it
// Columns: known (BOOLEAN: whether the episode exists), entities (list of [name, aliases, labels] of the two), around (list of entity keys)
MATCH (m:Merge {id: $id})
CALL (m) {
  MATCH (m)-[:KEPT|MERGED]->(e:Entity)
  RETURN collect([e.name, e.aliases + m.merged_aliases, labels(e)]) AS entities
}
CALL (m) {
  MATCH (m)-[moved:MOVED]->(f:Fact)
  OPTIONAL MATCH (t:Fact {id: moved.to})
  UNWIND [f, t] AS entry
  OPTIONAL MATCH (entry)-[:OBJECT]->(o:Entity)
  UNWIND [entry.subject, o.key] AS key
  RETURN collect(DISTINCT key) AS around
}
RETURN EXISTS { MATCH (:Episode {tenant: $tenant, id: $episode}) } AS known, entities, around
