// How many episodes are not in a text index yet.
// Parameters:
//   generation: of the index
// Columns: unworded
MATCH (e:Episode)
USING INDEX SEEK e:Episode(worded)
WHERE e.worded < $generation
RETURN count(e) AS unworded
