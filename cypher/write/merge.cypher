// The last query of a merge: notes it, what it moved, and that one entity now stands for the other.
// Parameters:
//   tenant: text
//   id: of the merge
//   episode: id of the episode behind it
//   instant: DATETIME of the transaction
//   kept: key of the entity that stays
//   merged: key of the other
//   aliases: those that the one kept gained
//   merged_aliases: those that the other had
//   kinds: those that the one kept gained
//   moved: list of {id, to (id of the fact that says it now, or null), added (ids of the episodes that it thereby
//     gained), candidate (id of the one that stands for it, or null)}
//   conflicts: ids of the candidates that were made
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
