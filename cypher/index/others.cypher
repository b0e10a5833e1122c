// Text indexes of episodes that are made as those of searches are, but for the one in use: what rebuilds build, or left.
// Parameters:
//   active: name of the index in use
// Columns: name
SHOW FULLTEXT INDEXES
YIELD name, labelsOrTypes, properties
WHERE labelsOrTypes = ['Episode'] AND properties IN [['text', 'tenant_token'], ['tenant_token', 'text']]
  AND name <> $active
RETURN name
