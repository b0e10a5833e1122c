// The recorded attributes out of a given list.
// Parameters:
//   names: list of attribute names
// Columns: name, cardinality
UNWIND $names AS name
MATCH (a:Attribute {name: name})
RETURN a.name AS name, a.cardinality AS cardinality
