// Records once that a migration was applied, even when several processes report it.
// Parameters:
//   id: text
// Columns: none
MERGE (m:Migration {id: $id})
  ON CREATE SET m.applied_at = datetime({datetime: datetime.truncate('microsecond', datetime.realtime()), timezone: 'Z'})
