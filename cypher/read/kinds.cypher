// Those of some kinds that an entity of any tenant is of, or was.
// Parameters:
//   kinds: list of names
// Columns: kind
CALL db.labels() YIELD label
WHERE label IN $kinds
RETURN label AS kind
