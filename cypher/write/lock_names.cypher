// The first query of a write to the names of entities: takes the write lock on names, in their order, then on
// entities, in the order of their keys, by writing to them; then reads which entities have the names.
// Where an entity gains a kind, its present names are locked and read too: other entities of that kind may have them.
// Parameters:
//   tenant: text
//   names: list of names in their normal form, sorted
//   entities: list of {key, folded (the key in the form in which names are compared, or null), kinds (list of the
//     kinds that it gains)}, sorted by key; missing entities are created
// Columns: entities (list of [key, created (BOOLEAN), name, aliases, labels, merged_into]), in the order given;
//   holders (list of [name, alias (BOOLEAN: no other entity of its kind may have this alias), key, labels])
CALL () {
  UNWIND $names AS name
  MERGE (a:Alias {tenant: $tenant, name: name})
  SET a.lock = true
  REMOVE a.lock
  RETURN count(*) AS locked
}
CALL (locked) {
  UNWIND $entities AS row
  MERGE (e:Entity {tenant: $tenant, key: row.key})
    ON CREATE SET e.name = row.key, e.folded = row.folded, e.aliases = [], e.lock = 'created'
    ON MATCH SET e.lock = 'taken'
  WITH row, e, e.lock = 'created' AS created
  REMOVE e.lock
  RETURN collect(e) AS found, collect(created) AS created
}
CALL (found) {
  UNWIND range(0, size($entities) - 1) AS position
  WITH found[position] AS e, $entities[position].kinds AS kinds
  WHERE any(kind IN kinds WHERE NOT kind IN labels(e))
  MATCH (e)<-[:NAMES]-(a:Alias)
  SET a.lock = true
  REMOVE a.lock
  RETURN collect(DISTINCT a.name) AS had
}
CALL (had) {
  UNWIND $names + had AS name
  WITH DISTINCT name
  MATCH (a:Alias {tenant: $tenant, name: name})
  USING INDEX SEEK a:Alias(tenant, name)
  MATCH (a)-[r:NAMES]->(h:Entity)
  RETURN collect([name, r.alias, h.key, labels(h)]) AS holders
}
CALL (found, created) {
  UNWIND range(0, size(created) - 1) AS position
  WITH found[position] AS e, created[position] AS is_new
  RETURN collect([e.key, is_new, e.name, e.aliases, labels(e), e.merged_into]) AS entities
}
RETURN entities, holders
