// Candidates of one status, the earliest first.
// Parameters:
//   tenant: text
//   status: such as pending
//   limit: the most rows to return
// Columns: the columns of a candidate; instants in microseconds since 1970
MATCH (c:Candidate)
USING INDEX SEEK c:Candidate(tenant, status, recorded_at)
WHERE c.tenant = $tenant AND c.status = $status AND c.recorded_at IS NOT NULL
WITH c
ORDER BY c.tenant, c.status, c.recorded_at
LIMIT $limit
RETURN c.id AS id, c.status AS status, c.reason AS reason, c.episode_id AS episode_id, c.source AS source,
  c.quote AS quote, c.start AS start, c.end AS end, c.subject AS subject, c.attribute AS attribute,
  c.change AS change, c.value AS value, c.value_type AS value_type,
  c.valid_from.epochSeconds * 1000000 + c.valid_from.microsecond AS valid_from,
  c.until.epochSeconds * 1000000 + c.until.microsecond AS until,
  c.schema_version AS schema_version, c.confirmers AS confirmers, c.proposal AS proposal,
  c.recorded_at.epochSeconds * 1000000 + c.recorded_at.microsecond AS recorded_at,
  c.expires_at.epochSeconds * 1000000 + c.expires_at.microsecond AS expires_at,
  c.decided_at.epochSeconds * 1000000 + c.decided_at.microsecond AS decided_at,
  c.decided_by AS decided_by, c.decision AS decision, c.fact_id AS fact_id
