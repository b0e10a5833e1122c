// An entity and what is up to two steps away from it, for Neo4j Browser to draw: the facts that held at any time,
// their ledger entries and the episodes behind them.
// Parameters:
//   tenant: whose memory it is
//   key: of the entity
// Columns: p, a path
MATCH p = (:Entity {tenant: $tenant, key: $key})-[*1..2]-()
RETURN p
