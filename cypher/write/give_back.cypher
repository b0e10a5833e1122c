// Gives back the claims that a worker still holds, either to be claimed again after a delay, or as failed.
// Parameters:
//   rows: list of {tenant, episode, attempts}, sorted
//   worker: name of the worker that holds the claims
//   failed: BOOLEAN
//   attempts_back: 1 where the attempt does not count, else 0
//   error: why the attempt failed; null keeps the stored error
//   delay: microseconds until the episodes are due again
// Columns: tenant, episode (of each claim that was still held)
UNWIND $rows AS row
MATCH (x:Extraction {tenant: row.tenant, episode: row.episode})
SET x.lock = true
WITH collect([x, row.attempts]) AS locked
WITH locked, datetime({datetime: datetime.truncate('microsecond', datetime.realtime()), timezone: 'Z'}) AS now
UNWIND locked AS pair
WITH pair[0] AS x, pair[1] AS attempts, now
REMOVE x.lock
WITH x, attempts, now
WHERE x:Due AND x.worker = $worker AND x.attempts = attempts
SET x.worker = null, x.changed_at = now, x.error = coalesce($error, x.error), x.attempts = attempts - $attempts_back,
  x.state = CASE WHEN $failed THEN 'failed' ELSE 'queued' END,
  x.due_at = CASE WHEN $failed THEN null ELSE now + duration({microseconds: $delay}) END
FOREACH (_ IN CASE WHEN $failed THEN [1] ELSE [] END | REMOVE x:Due)
RETURN x.tenant AS tenant, x.episode AS episode
