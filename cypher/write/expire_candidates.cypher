// Expires the weak candidates of all tenants that are too old to count. Each is checked again under its lock, because
// a person may have decided it meanwhile.
// Parameters:
//   limit: the most rows to return
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
