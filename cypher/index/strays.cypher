// Episodes that were stored by a program older than migration 0006, which puts nothing of them into the text index: all
// of them at the migration, and later those of one that has been running since before it. Its mark is on them.
// Parameters:
//   limit: how many at the most
// Columns: tenant, id, text
MATCH (e:Episode)
USING INDEX e:Episode(tenant_token)
WHERE e.tenant_token IS NOT NULL
RETURN e.tenant AS tenant, e.id AS id, e.text AS text
LIMIT $limit
