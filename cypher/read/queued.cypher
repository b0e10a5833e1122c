// The number of extractions that are queued or running.
// Parameters: none
// Columns: number
MATCH (x:Due)
RETURN count(x) AS number
