// The last query of the transaction that decides a candidate: records the decision and the episode behind it. Entities
// that the candidate was the first to name get these names, if the fact is about them.
// Parameters:
//   tenant: text
//   id: candidate id
//   status: confirmed or rejected
//   decision: why it was rejected; null where it was confirmed
//   fact_id: id of the fact that the candidate became; null where there is none
//   episode: id of the episode behind the decision; null where there is none
//   named: keys of the entities that the fact is about or points to; empty where there is no fact
//   promoted: ids of the weak candidates that became the same fact
// Columns: none
MATCH (c:Candidate {id: $id})
WITH c, datetime({datetime: datetime.truncate('microsecond', datetime.realtime()), timezone: 'Z'}) AS now
SET c.status = $status, c.decision = $decision, c.fact_id = $fact_id, c.decided_by = $episode, c.decided_at = now
WITH c, now
CALL (c) {
  MATCH (p:Episode {tenant: $tenant, id: $episode})
  CREATE (c)-[:DECIDED_BY]->(p)
}
CALL (c) {
  UNWIND range(0, size(coalesce(c.named_keys, [])) - 1) AS position
  WITH c, position
  WHERE c.named_keys[position] IN $named
  MATCH (e:Entity {tenant: $tenant, key: c.named_keys[position]})
  WHERE e.name = e.key
  SET e.name = c.named[position]
  MERGE (a:Alias {tenant: $tenant, name: c.named_as[position]})
  MERGE (a)-[r:NAMES]->(e)
    ON CREATE SET r.alias = false
}
CALL (now) {
  UNWIND $promoted AS id
  MATCH (w:Candidate {id: id})
  SET w.status = 'promoted', w.fact_id = $fact_id, w.decided_at = now
}
