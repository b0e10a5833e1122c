// The applied migrations. The label is scanned, because there are few, and no index before the first migration.
// Parameters: none
// Columns: id
MATCH (m:Migration)
RETURN m.id AS id
ORDER BY m.id
