// The last query of the transaction that settles an episode: marks the extraction as done, and the weak signals that
// became facts.
// Parameters:
//   tenant: text
//   episode: id of an episode that exists
//   promoted: weak candidates that became a fact, list of {id, fact_id}
//   report: JSON text
// Columns: none
MATCH (x:Extraction {tenant: $tenant, episode: $episode})
WITH x, datetime({datetime: datetime.truncate('microsecond', datetime.realtime()), timezone: 'Z'}) AS now
REMOVE x:Due
SET x.state = 'done', x.report = $report, x.changed_at = now, x.due_at = null, x.worker = null, x.error = null
WITH now
UNWIND $promoted AS row
MATCH (c:Candidate {id: row.id})
SET c.status = 'promoted', c.fact_id = row.fact_id, c.decided_at = now
