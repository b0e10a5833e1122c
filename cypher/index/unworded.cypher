// Episodes that are not in a text index yet.
// Parameters:
//   generation: of the index
//   limit: how many at the most
// Columns: tenant, id, text
MATCH (e:Episode)
USING INDEX SEEK e:Episode(worded)
WHERE e.worded < $generation
RETURN e.tenant AS tenant, e.id AS id, e.text AS text
LIMIT $limit
