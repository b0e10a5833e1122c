// The number of episodes that have no vectors of a generation yet.
// Parameters:
//   generation: number
// Columns: missing
MATCH (e:Episode)
USING INDEX SEEK e:Episode(embedded)
WHERE e.embedded < $generation
RETURN count(e) AS missing
