// Clears the weak signals of all tenants that are too old to count. Each is looked at again under its lock: somebody
// may have decided it.
// Parameters:
//   limit: how many at most
// Columns: expired (how many)
WITH datetime.realtime() AS now
MATCH (c:Candidate)
USING INDEX SEEK c:Candidate(status, expires_at)
WHERE c.status = 'weak' AND c.expires_at <= now
WITH c
LIMIT $limit
SET c.lock = true
REMOVE c.lock
WITH collect(c) AS locked
CALL (locked) {
  UNWIND locked AS c
  WITH c, datetime({datetime: datetime.truncate('microsecond', datetime.realtime()), timezone: 'Z'}) AS now
  WHERE c.status = 'weak'
  SET c.status = 'expired', c.decided_at = now
  RETURN count(c) AS expired
}
RETURN expired
