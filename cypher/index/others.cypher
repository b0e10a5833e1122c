// The text indexes of episodes that rebuilds are building or have left behind: all except the one in use.
// Parameters:
//   active: name of the index in use
// Columns: name
SHOW FULLTEXT INDEXES
YIELD name, labelsOrTypes, properties
WHERE labelsOrTypes = ['Episode'] AND properties IN [['text', 'tenant_token'], ['tenant_token', 'text']]
  AND name <> $active
RETURN name
