// The last query that undoes a merge: records it, withdraws the waiting candidates, and separates the entities again.
// Parameters:
//   tenant: text
//   id: id of the merge
//   episode: id of the episode that says so
//   instant: DATETIME of the transaction
//   candidates: ids of the candidates to withdraw
//   stayed: ids of the facts that did not move back
// Columns: none
MATCH (p:Episode {tenant: $tenant, id: $episode})
MATCH (m:Merge {id: $id})-[:MERGED]->(e:Entity)
SET e.merged_into = null, m.undone_at = $instant, m.undone_by = $episode, m.stayed = $stayed
CREATE (m)-[:UNDONE_BY]->(p)
WITH m, p
CALL (p) {
  UNWIND $candidates AS id
  MATCH (c:Candidate {id: id})
  SET c.status = 'rejected', c.decision = 'the merge was undone', c.decided_by = p.id, c.decided_at = $instant
  CREATE (c)-[:DECIDED_BY]->(p)
}
