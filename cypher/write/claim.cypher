// Claims extractions that are due, for the duration of a lease. Whether an extraction is due is read under its lock,
// so only one of two workers gets it. An extraction that has been claimed too often is given up instead: it ends as
// failed.
// Parameters:
//   rows: list of {tenant, episode}, sorted
//   worker: name of the worker that claims them
//   lease: microseconds
//   max_attempts: the most times that an extraction may be claimed
// Columns: tenant, episode, about, attempts (this one included), given_up (BOOLEAN)
UNWIND $rows AS row
MATCH (x:Extraction {tenant: row.tenant, episode: row.episode})
SET x.lock = true
WITH collect(x) AS locked
WITH locked, datetime({datetime: datetime.truncate('microsecond', datetime.realtime()), timezone: 'Z'}) AS now
UNWIND locked AS x
REMOVE x.lock
WITH x, now
WHERE x:Due AND x.due_at <= now
WITH x, now, x.attempts >= $max_attempts AS given_up,
  CASE x.state WHEN 'running'
    THEN 'worker ' + x.worker + ' did not come to an end with attempt ' + x.attempts ELSE x.error END AS error
SET x.error = error, x.changed_at = now
FOREACH (_ IN CASE WHEN given_up THEN [1] ELSE [] END |
  SET x.state = 'failed', x.worker = null, x.due_at = null
  REMOVE x:Due)
FOREACH (_ IN CASE WHEN given_up THEN [] ELSE [1] END |
  SET x.state = 'running', x.worker = $worker, x.attempts = x.attempts + 1,
    x.due_at = now + duration({microseconds: $lease}))
RETURN x.tenant AS tenant, x.episode AS episode, x.about AS about, x.attempts AS attempts, given_up
