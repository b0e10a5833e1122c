// Stores episodes that do not exist yet, and returns the stored episode of each id, so that a replay can be told from
// a conflict. recorded_at is the database's clock, plus a microsecond for each row before; said_at is the time when
// the episode was said, else recorded.
// Parameters:
//   tenant: text
//   tenant_token: the word that a full-text search of this tenant requires
//   rows: with different ids, list of {id, text, kind, source, occurred_at ([seconds since 1970,
//     nanoseconds] or null), session, retention, metadata (JSON text)}
// Columns: position (in rows), created (BOOLEAN), then the columns of an episode; instants in microseconds since 1970
UNWIND range(0, size($rows) - 1) AS position
WITH position, $rows[position] AS row
MERGE (e:Episode {tenant: $tenant, id: row.id})
  ON CREATE SET e.text = row.text, e.kind = row.kind, e.source = row.source,
    e.occurred_at = CASE WHEN row.occurred_at IS NOT NULL
      THEN datetime({epochSeconds: row.occurred_at[0], nanosecond: row.occurred_at[1]}) END,
    e.session = row.session, e.retention = row.retention, e.metadata = row.metadata,
    e.tenant_token = $tenant_token, e.embedded = 0, e.created = true,
    e.recorded_at = datetime({datetime: datetime.truncate('microsecond', datetime.realtime()), timezone: 'Z'})
      + duration({microseconds: position})
WITH position, e, coalesce(e.created, false) AS created
SET e.said_at = coalesce(e.occurred_at, e.recorded_at)
REMOVE e.created
RETURN position, created, e.id AS id, e.text AS text, e.kind AS kind, e.source AS source,
  e.occurred_at.epochSeconds * 1000000 + e.occurred_at.microsecond AS occurred_at,
  e.recorded_at.epochSeconds * 1000000 + e.recorded_at.microsecond AS recorded_at,
  e.session AS session, e.retention AS retention, e.metadata AS metadata
