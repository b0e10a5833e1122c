// Text indexes that are made as those of searches are, or were before migration 0006, but for the one in use: what
// rebuilds build, or left.
// Parameters:
//   active: name of the index in use
// Columns: name
SHOW FULLTEXT INDEXES
YIELD name, labelsOrTypes, properties
WHERE name <> $active AND (labelsOrTypes = ['Passage'] AND properties IN [['terms_a'], ['terms_b']]
  OR labelsOrTypes = ['Episode'] AND properties IN [['text', 'tenant_token'], ['tenant_token', 'text']])
RETURN name
