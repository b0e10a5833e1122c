// Gives episodes of one tenant that an older program has stored what searches need, as migration 0004 does. Those of
// sessions have to be linked to the turns beside them in the same transaction.
// Parameters:
//   tenant: text
//   ids: of the episodes
// Columns: id, session (of each that lacked it)
UNWIND $ids AS id
MATCH (e:Episode {tenant: $tenant, id: id})
WHERE e.embedded IS NULL
SET e.said_at = coalesce(e.occurred_at, e.recorded_at), e.embedded = 0
RETURN e.id AS id, e.session AS session
