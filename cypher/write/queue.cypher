// Queues episodes for extraction, except those that have been queued before.
// Parameters:
//   tenant: text
//   rows: list of {episode, about (entity key or null)}, sorted by episode; the episodes exist
//   worker: name of the worker that extracts them at once; null: any worker may claim them
//   lease: microseconds until another worker may take them over; 0: any worker may claim them
// Columns: episode (of each that was queued)
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
