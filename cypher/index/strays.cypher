// Episodes that were stored by a program older than migration 0004, which knows nothing of what searches need: one
// that has been running since before the migration. No index has them, so all episodes are looked at.
// Parameters:
//   limit: how many at the most
// Columns: tenant, ids
MATCH (e:Episode)
WHERE e.embedded IS NULL
WITH e
LIMIT $limit
RETURN e.tenant AS tenant, collect(e.id) AS ids
