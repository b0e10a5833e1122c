// Queues episodes for extraction, but for those that have an extraction, whatever became of it.
// Parameters:
//   tenant: text
//   rows: list of {episode, about (entity key or null)}, sorted by episode; of episodes that exist
//   worker: who extracts them at once; null to leave them to any worker
//   lease: microseconds until a worker may take them over; 0 to leave them to any worker
// Columns: episode, of those that were queued
UNWIND $rows AS row
MATCH (e:Episode {tenant: $tenant, id: row.episode})
MERGE (x:Extraction {tenant: $tenant, episode: row.episode})
  ON CREATE SET x.about = row.about, x.worker = $worker, x.created = true,
    x.state = CASE WHEN $worker IS NULL THEN 'queued' ELSE 'running' END,
    x.attempts = CASE WHEN $worker IS NULL THEN 0 ELSE 1 END
WITH e, x
WHERE x.created
REMOVE x.created
CREATE (x)-[:OF]->(e)
SET x:Due
WITH x, datetime({datetime: datetime.truncate('microsecond', datetime.realtime()), timezone: 'Z'}) AS now
SET x.changed_at = now, x.due_at = now + duration({microseconds: $lease})
RETURN x.episode AS episode
