// Stores the declaration of a schema where there is none of its name and version, and returns what is stored.
// Parameters:
//   schema: its name
//   version: integer
//   declaration: JSON text
// Columns: declaration (JSON text)
MERGE (s:Schema {name: $schema, version: $version})
  ON CREATE SET s.declaration = $declaration,
    s.recorded_at = datetime({datetime: datetime.truncate('microsecond', datetime.realtime()), timezone: 'Z'})
RETURN s.declaration AS declaration
