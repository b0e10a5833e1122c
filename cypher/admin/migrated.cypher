// Records that a migration was applied; once, however many processes say so.
// Parameters:
//   id: text
// Columns: none
MERGE (m:Migration {id: $id})
  ON CREATE SET m.applied_at = datetime({datetime: datetime.truncate('microsecond', datetime.realtime()), timezone: 'Z'})
