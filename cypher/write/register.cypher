// Records the cardinality of attributes at their first use, and returns the recorded cardinalities.
// Parameters:
//   tenant: the tenant that uses them first; null where a schema declares them
//   rows: list of {name, cardinality}, sorted by name
// Columns: name, cardinality
UNWIND $rows AS row
MERGE (a:Attribute {name: row.name})
  ON CREATE SET a.cardinality = row.cardinality, a.first_tenant = $tenant
RETURN a.name AS name, a.cardinality AS cardinality
