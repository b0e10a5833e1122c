// Episodes whose passages have no vectors of a generation yet.
// Parameters:
//   generation: number
//   skip: how many to leave out
//   limit: how many at the most
// Columns: tenant, id, text
MATCH (e:Episode)
USING INDEX SEEK e:Episode(embedded)
WHERE e.embedded < $generation
RETURN e.tenant AS tenant, e.id AS id, e.text AS text
SKIP $skip
LIMIT $limit
