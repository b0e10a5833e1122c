// The entities that a merge touches, read before anything is locked: the two entities, and the subjects and values of
// the live entries that will move.
// Parameters:
//   tenant: text
//   episode: id of the episode that says so
//   merged: key of the entity to merge
//   kept: key of the entity that stays
// Columns: known (BOOLEAN: whether the episode exists), entities (list of [name, aliases, labels] of the two, as far
//   as they exist), around (list of entity keys)
CALL () {
  UNWIND [$merged, $kept] AS key
  MATCH (e:Entity {tenant: $tenant, key: key})
  RETURN collect([e.name, e.aliases, labels(e)]) AS entities
}
CALL () {
  MATCH (:Entity {tenant: $tenant, key: $merged})-[:HAS_SLOT]->(s:Slot)
  MATCH (f:Live)
  USING INDEX SEEK f:Live(slot, valid_from, has_value)
  WHERE f.slot = s.key AND f.valid_from IS NOT NULL AND f.has_value IS NOT NULL
  MATCH (f)-[:OBJECT]->(o:Entity)
  RETURN collect(DISTINCT o.key) AS objects
}
CALL () {
  MATCH (:Entity {tenant: $tenant, key: $merged})<-[:OBJECT]-(f:Live)
  RETURN collect(DISTINCT f.subject) AS subjects
}
RETURN EXISTS { MATCH (:Episode {tenant: $tenant, id: $episode}) } AS known, entities, objects + subjects AS around
