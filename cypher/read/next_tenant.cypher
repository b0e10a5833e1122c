// The first tenant after a name, in order, that has an episode.
// Parameters:
//   after: text; '' for the first tenant of all
// Columns: tenant
MATCH (e:Episode)
USING INDEX SEEK e:Episode(tenant, id)
WHERE e.tenant > $after AND e.id IS NOT NULL
RETURN e.tenant AS tenant
ORDER BY e.tenant, e.id
LIMIT 1
