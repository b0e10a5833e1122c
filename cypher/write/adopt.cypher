// Adds the properties that searches need to episodes that an older program has stored, as migration 0004 does.
// Episodes of sessions must be linked to their neighbours in the same transaction.
// Parameters:
//   tenant: text
//   ids: ids of the episodes
// Columns: id, session (of each episode that lacked the properties)
UNWIND $ids AS id
MATCH (e:Episode {tenant: $tenant, id: id})
WHERE e.embedded IS NULL
SET e.said_at = coalesce(e.occurred_at, e.recorded_at), e.embedded = 0
RETURN e.id AS id, e.session AS session
