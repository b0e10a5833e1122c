// How far an index is filled.
// Parameters:
//   index: its name
// Columns: state, percent
SHOW INDEXES
YIELD name, state, populationPercent
WHERE name = $index
RETURN state, populationPercent AS percent
