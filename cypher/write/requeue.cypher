// Queues an episode for extraction anew, unless its extraction is done or running.
// Parameters:
//   tenant: text
//   episode: id
// Columns: requeued (BOOLEAN), then the columns of an extraction; instants in microseconds since 1970; no row where
//   there is no such episode
MATCH (e:Episode {tenant: $tenant, id: $episode})
MERGE (x:Extraction {tenant: $tenant, episode: $episode})
  ON CREATE SET x.state = 'new'
MERGE (x)-[:OF]->(e)
SET x.lock = true
WITH x, datetime({datetime: datetime.truncate('microsecond', datetime.realtime()), timezone: 'Z'}) AS now
REMOVE x.lock
WITH x, now, x.state IN ['new', 'queued', 'failed'] OR x.state = 'running' AND x.due_at <= now AS requeued
FOREACH (_ IN CASE WHEN requeued THEN [1] ELSE [] END |
  SET x:Due, x.state = 'queued', x.attempts = 0, x.worker = null, x.error = null, x.changed_at = now, x.due_at = now)
RETURN requeued, x.episode AS episode, x.state AS state, x.about AS about, x.attempts AS attempts,
  x.worker AS worker, x.error AS error,
  x.changed_at.epochSeconds * 1000000 + x.changed_at.microsecond AS changed_at,
  x.due_at.epochSeconds * 1000000 + x.due_at.microsecond AS due_at, x.report AS report
