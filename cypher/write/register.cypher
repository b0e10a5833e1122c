// Records the cardinality of attributes at their first use, and returns what is recorded.
// Parameters:
//   rows: list of {name, cardinality}, sorted by name
// Columns: name, cardinality
UNWIND $rows AS row
MERGE (a:Attribute {name: row.name})
  ON CREATE SET a.cardinality = row.cardinality
RETURN a.name AS name, a.cardinality AS cardinality
