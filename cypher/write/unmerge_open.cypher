// The entities that undoing a merge touches, read before anything is locked: the two entities with their names, and
// the subjects and values of the entries that it moved and of the facts that these became.
// Parameters:
//   tenant: text
//   id: id of the merge
//   episode: id of the episode that says so
// Columns: known (BOOLEAN: whether the episode exists), entities (list of [name, aliases, labels] of the two), around
//   (list of entity keys)
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
