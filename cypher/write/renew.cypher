// Renews the leases of the claims that a worker still holds.
// Parameters:
//   rows: list of {tenant, episode, attempts}, sorted
//   worker: name of the worker that holds the claims
//   lease: microseconds from now
// Columns: tenant, episode (of each claim that another worker has taken over)
UNWIND $rows AS row
MATCH (x:Extraction {tenant: row.tenant, episode: row.episode})
SET x.lock = true
WITH collect([x, row.attempts]) AS locked
WITH locked, datetime({datetime: datetime.truncate('microsecond', datetime.realtime()), timezone: 'Z'}) AS now
UNWIND locked AS pair
WITH pair[0] AS x, pair[1] AS attempts, now
REMOVE x.lock
WITH x, now, coalesce(x.worker = $worker, false) AND x.attempts = attempts AS held
FOREACH (_ IN CASE WHEN held AND x:Due THEN [1] ELSE [] END |
  SET x.due_at = now + duration({microseconds: $lease}))
WITH x, held
WHERE NOT held AND x:Due
RETURN x.tenant AS tenant, x.episode AS episode
