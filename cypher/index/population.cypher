// The progress of filling an index.
// Parameters:
//   index: name of the index
// Columns: state, percent
SHOW INDEXES
YIELD name, state, populationPercent
WHERE name = $index
RETURN state, populationPercent AS percent
