// The last query of a merge: records the merge, the entries that it moved, and that one entity now stands for the
// other.
// Parameters:
//   tenant: text
//   id: id of the merge
//   episode: id of the episode that says so
//   instant: DATETIME of the transaction
//   kept: key of the entity that stays
//   merged: key of the entity that was merged into it
//   aliases: aliases that the kept entity gained
//   merged_aliases: aliases that the merged entity had
//   kinds: kinds that the kept entity gained
//   moved: list of {id, to (id of the fact that replaces it, or null), added (ids of the episodes that this fact
//     gained), candidate (id of the candidate that replaces it, or null)}
//   conflicts: ids of the candidates that were made for conflicting facts
// Columns: none
MATCH (p:Episode {tenant: $tenant, id: $episode})
MATCH (k:Entity {tenant: $tenant, key: $kept})
MATCH (e:Entity {tenant: $tenant, key: $merged})
SET e.merged_into = $kept
CREATE (m:Merge {
  id: $id, tenant: $tenant, kept: $kept, merged: $merged, episode_id: $episode, recorded_at: $instant,
  aliases: $aliases, merged_aliases: $merged_aliases, kinds: $kinds, moved: size($moved), conflicts: $conflicts,
  stayed: []})
CREATE (m)-[:FROM_EPISODE]->(p)
CREATE (m)-[:KEPT]->(k)
CREATE (m)-[:MERGED]->(e)
WITH m
CALL (m) {
  UNWIND $moved AS row
  MATCH (f:Fact {id: row.id})
  CREATE (m)-[:MOVED {to: row.to, added: row.added, candidate: row.candidate}]->(f)
}
