// The extractions of a tenant in given states, for each state the latest change first.
// Parameters:
//   tenant: text
//   states: list of queued, running, done, failed
//   limit: the most rows of each state
// Columns: the columns of an extraction; instants in microseconds since 1970
UNWIND $states AS state
CALL (state) {
  MATCH (x:Extraction)
  USING INDEX SEEK x:Extraction(tenant, state, changed_at)
  WHERE x.tenant = $tenant AND x.state = state AND x.changed_at IS NOT NULL
  RETURN x
  ORDER BY x.tenant DESC, x.state DESC, x.changed_at DESC
  LIMIT $limit
}
RETURN x.episode AS episode, x.state AS state, x.about AS about, x.attempts AS attempts, x.worker AS worker,
  x.error AS error, x.changed_at.epochSeconds * 1000000 + x.changed_at.microsecond AS changed_at,
  x.due_at.epochSeconds * 1000000 + x.due_at.microsecond AS due_at, x.report AS report
