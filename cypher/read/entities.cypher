// Entities by key.
// Parameters:
//   tenant: text
//   keys: list of entity keys
// Columns: key, name, aliases, labels, merged_into (key)
UNWIND $keys AS key
MATCH (e:Entity {tenant: $tenant, key: key})
RETURN e.key AS key, e.name AS name, e.aliases AS aliases, labels(e) AS labels, e.merged_into AS merged_into
