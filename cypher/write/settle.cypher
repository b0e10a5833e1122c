// The last query of the transaction that settles an episode: marks the extraction as done, marks the weak candidates
// that became facts, and gives new entities their names. Entities may share a name, so nothing is checked.
// Parameters:
//   tenant: text
//   episode: id of an episode that exists
//   promoted: weak candidates that became a fact, list of {id, fact_id}
//   named: list of {key, name, normal (its normal form)}
//   report: JSON text
// Columns: none
MATCH (x:Extraction {tenant: $tenant, episode: $episode})
WITH x, datetime({datetime: datetime.truncate('microsecond', datetime.realtime()), timezone: 'Z'}) AS now
REMOVE x:Due
SET x.state = 'done', x.report = $report, x.changed_at = now, x.due_at = null, x.worker = null, x.error = null
WITH now
CALL (now) {
  UNWIND $promoted AS row
  MATCH (c:Candidate {id: row.id})
  SET c.status = 'promoted', c.fact_id = row.fact_id, c.decided_at = now
}
CALL () {
  UNWIND $named AS row
  MATCH (e:Entity {tenant: $tenant, key: row.key})
  WHERE e.name = e.key
  SET e.name = row.name
  MERGE (a:Alias {tenant: $tenant, name: row.normal})
  MERGE (a)-[r:NAMES]->(e)
    ON CREATE SET r.alias = false
}
