// Stores episodes that do not exist yet, and returns the stored episode of each id, so that a replay can be told from
// a conflict. recorded_at is the database's clock, plus a microsecond for each row before; said_at is the time when
// the episode was said, else recorded.
// Parameters:
//   tenant: text
//   generation: of the newest text index that the terms are for
//   rows: with different ids, list of {id, text, kind, source, occurred_at ([seconds since 1970,
//     nanoseconds] or null), session, retention, metadata (JSON text), passages (list of {number, start, end, terms_a,
//     terms_b (text or null)})}
// Columns: position (in rows), created (BOOLEAN), newest (generation of the newest text index that there is), then those
//   of an episode; instants in microseconds since 1970
UNWIND range(0, size($rows) - 1) AS position
WITH position, $rows[position] AS row
MERGE (e:Episode {tenant: $tenant, id: row.id})
  ON CREATE SET e.text = row.text, e.kind = row.kind, e.source = row.source,
    e.occurred_at = CASE WHEN row.occurred_at IS NOT NULL
      THEN datetime({epochSeconds: row.occurred_at[0], nanosecond: row.occurred_at[1]}) END,
    e.session = row.session, e.retention = row.retention, e.metadata = row.metadata,
    e.worded = $generation, e.embedded = 0, e.created = true,
    e.recorded_at = datetime({datetime: datetime.truncate('microsecond', datetime.realtime()), timezone: 'Z'})
      + duration({microseconds: position})
WITH position, row, e, coalesce(e.created, false) AS created
SET e.said_at = coalesce(e.occurred_at, e.recorded_at)
REMOVE e.created
WITH position, row, e, created
CALL (row, e, created) {
  UNWIND CASE WHEN created THEN row.passages ELSE [] END AS part
  CREATE (p:Passage {tenant: e.tenant, episode: e.id, number: part.number, start: part.start, end: part.end,
    terms_a: part.terms_a, terms_b: part.terms_b})-[:PART_OF]->(e)
  RETURN count(p) AS parts
}
MATCH (i:Index {kind: 'text'})
RETURN position, created, coalesce(i.building, i.generation) AS newest,
  e.id AS id, e.text AS text, e.kind AS kind, e.source AS source,
  e.occurred_at.epochSeconds * 1000000 + e.occurred_at.microsecond AS occurred_at,
  e.recorded_at.epochSeconds * 1000000 + e.recorded_at.microsecond AS recorded_at,
  e.session AS session, e.retention AS retention, e.metadata AS metadata
