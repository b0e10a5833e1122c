// Gives claims back, as far as they are still held: to be claimed again after a while, or as failed.
// Parameters:
//   rows: list of {tenant, episode, attempts}, sorted
//   worker: who holds them
//   failed: BOOLEAN
//   attempts_back: 1 where the attempt is not to count, else 0
//   error: why; null to leave it
//   delay: microseconds until they are due again
// Columns: tenant, episode, of the claims that were held
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
