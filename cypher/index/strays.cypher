// Episodes that a program older than migration 0004 has stored after that migration, without the properties that
// searches need. No index contains them, so all episodes are scanned.
// Parameters:
//   limit: the most rows to return
// Columns: tenant, ids
MATCH (e:Episode)
WHERE e.embedded IS NULL
WITH e
LIMIT $limit
RETURN e.tenant AS tenant, collect(e.id) AS ids
