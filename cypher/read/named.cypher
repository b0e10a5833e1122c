// The entities that some keys, names and aliases lead to; for a merged entity, the entity that it was merged into.
// Parameters:
//   tenant: text
//   keys: list of entity keys
//   names: list of names in their normal form; keys are looked up in that form too
// Columns: form (the key or name that led to it), by_key (BOOLEAN), then the columns of an entity
CALL () {
  UNWIND $keys AS key
  MATCH (e:Entity {tenant: $tenant, key: key})
  USING INDEX SEEK e:Entity(tenant, key)
  RETURN e, key AS form, true AS by_key
  UNION
  UNWIND $names AS name
  MATCH (a:Alias {tenant: $tenant, name: name})
  USING INDEX SEEK a:Alias(tenant, name)
  MATCH (a)-[:NAMES]->(e:Entity)
  RETURN e, name AS form, false AS by_key
  UNION
  UNWIND $names AS name
  MATCH (e:Entity {tenant: $tenant, folded: name})
  USING INDEX SEEK e:Entity(tenant, folded)
  RETURN e, name AS form, false AS by_key
}
CALL (e) {
  WITH e
  WHERE e.merged_into IS NULL
  RETURN e AS kept
  UNION ALL
  WITH e
  WHERE e.merged_into IS NOT NULL
  MATCH (e) (()<-[:MERGED]-(m:Merge WHERE m.undone_at IS NULL)-[:KEPT]->(:Entity))+ (k:Entity)
  WHERE k.merged_into IS NULL
  RETURN k AS kept
}
RETURN form, by_key, kept.key AS key, kept.name AS name, kept.aliases AS aliases, labels(kept) AS labels,
  kept.merged_into AS merged_into
