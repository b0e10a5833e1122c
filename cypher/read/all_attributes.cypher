// All recorded attributes, in order.
// Parameters: none
// Columns: name, cardinality
MATCH (a:Attribute)
USING INDEX SEEK a:Attribute(name)
WHERE a.name > ''
RETURN a.name AS name, a.cardinality AS cardinality
ORDER BY a.name
