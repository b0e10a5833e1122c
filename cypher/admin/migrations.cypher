// The migrations that were applied. The label is scanned: before the first one there is no index, and there
// are few.
// Parameters: none
// Columns: id
MATCH (m:Migration)
RETURN m.id AS id
ORDER BY m.id
