// The number of ledger entries, from the count store.
// Parameters: none
// Columns: facts
MATCH (f:Fact)
RETURN count(f) AS facts
