// Writes the decisions about entities and their names, under the locks of write/lock_names.
// Parameters:
//   tenant: text
//   unlinked: list of {name, key}: the entity no longer has the name
//   linked: list of {name, key, alias (BOOLEAN)}: the entity has the name from now on, as an alias or otherwise
//   entities: list of {key, name, aliases, labels, dropped (labels that it loses)}
// Columns: none
CALL () {
  UNWIND $unlinked AS row
  MATCH (a:Alias {tenant: $tenant, name: row.name})
  USING INDEX SEEK a:Alias(tenant, name)
  MATCH (a)-[r:NAMES]->(:Entity {tenant: $tenant, key: row.key})
  DELETE r
}
CALL () {
  UNWIND $linked AS row
  MATCH (a:Alias {tenant: $tenant, name: row.name})
  USING INDEX SEEK a:Alias(tenant, name)
  MATCH (e:Entity {tenant: $tenant, key: row.key})
  MERGE (a)-[r:NAMES]->(e)
  SET r.alias = row.alias
}
CALL () {
  UNWIND $entities AS row
  MATCH (e:Entity {tenant: $tenant, key: row.key})
  SET e.name = row.name, e.aliases = row.aliases, e:$(row.labels)
  REMOVE e:$(row.dropped)
}
