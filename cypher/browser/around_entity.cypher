// An entity and everything up to two steps away from it, for a drawing in Neo4j Browser: the facts of all times, their
// ledger entries, and the episodes behind them.
// Parameters:
//   tenant: text
//   key: the entity's key
// Columns: p, a path
MATCH p = (:Entity {tenant: $tenant, key: $key})-[*1..2]-()
RETURN p
