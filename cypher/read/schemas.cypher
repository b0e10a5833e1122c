// The stored schemas.
// Parameters: none
// Columns: name, version, declaration (JSON text), recorded_at (microseconds since 1970)
MATCH (s:Schema)
USING INDEX SEEK s:Schema(name, version)
WHERE s.name > '' AND s.version > 0
RETURN s.name AS name, s.version AS version, s.declaration AS declaration,
  s.recorded_at.epochSeconds * 1000000 + s.recorded_at.microsecond AS recorded_at
ORDER BY s.name, s.version
