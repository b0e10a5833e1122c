// Clears the weak signals of all tenants that are too old to count.
// Parameters:
//   limit: how many at most
// Columns: expired (how many)
WITH datetime({datetime: datetime.truncate('microsecond', datetime.realtime()), timezone: 'Z'}) AS now
MATCH (c:Candidate)
USING INDEX SEEK c:Candidate(status, expires_at)
WHERE c.status = 'weak' AND c.expires_at <= now
WITH c, now
LIMIT $limit
SET c.status = 'expired', c.decided_at = now
RETURN count(c) AS expired
