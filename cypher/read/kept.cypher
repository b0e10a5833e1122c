// The entities that some entities were merged into, directly or through others, by the ledger's state at an instant.
// Parameters:
//   tenant: text
//   keys: list of entity keys
//   known_at: DATETIME with offset Z; null for now
// Columns: key, kept (key); no row for an entity that was not merged
UNWIND $keys AS key
MATCH (e:Entity {tenant: $tenant, key: key})
MATCH (e) (()<-[:MERGED]-(m:Merge
  WHERE coalesce(m.recorded_at <= $known_at, true) AND (m.undone_at IS NULL OR m.undone_at > $known_at)
)-[:KEPT]->(:Entity))+ (k:Entity)
WHERE NOT EXISTS {
  MATCH (k)<-[:MERGED]-(n:Merge)
  WHERE coalesce(n.recorded_at <= $known_at, true) AND (n.undone_at IS NULL OR n.undone_at > $known_at)
}
RETURN key, k.key AS kept
