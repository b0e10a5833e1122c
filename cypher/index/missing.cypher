// Episodes whose passages have no vectors of a generation yet.
// Parameters:
//   generation: number
//   skip: the number of rows to leave out at the beginning
//   limit: the most rows to return
// Columns: tenant, id, text
MATCH (e:Episode)
USING INDEX SEEK e:Episode(embedded)
WHERE e.embedded < $generation
RETURN e.tenant AS tenant, e.id AS id, e.text AS text
SKIP $skip
LIMIT $limit
