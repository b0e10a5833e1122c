// Stores the declaration of a schema, unless one of its name and version is stored; returns the stored declaration.
// Parameters:
//   schema: name of the schema
//   version: integer
//   declaration: JSON text
// Columns: declaration (JSON text)
MERGE (s:Schema {name: $schema, version: $version})
  ON CREATE SET s.declaration = $declaration,
    s.recorded_at = datetime({datetime: datetime.truncate('microsecond', datetime.realtime()), timezone: 'Z'})
RETURN s.declaration AS declaration
