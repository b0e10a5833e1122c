// Episodes with the facts that they support, and for each fact whether its value holds at an instant, as known now.
// An episode gets at most 100 facts, first those that do not hold, out of the 10,000 that were recorded last.
// Parameters:
//   tenant: text
//   ids: list of episode ids
//   at: DATETIME with offset Z; null for now
// Columns: facts (list of [holds, then the columns of an entry]), then the columns of an episode; instants in
//   microseconds since 1970
WITH coalesce($at, datetime({datetime: datetime.realtime(), timezone: 'Z'})) AS at
UNWIND $ids AS id
MATCH (e:Episode {tenant: $tenant, id: id})
CALL (e, at) {
  MATCH (e)<-[c:FROM_EPISODE]-(f:Fact)
  WITH DISTINCT f, at
  ORDER BY f.recorded_at DESC, f.id
  LIMIT 10000
  CALL (f, at) {
    WITH f.slot AS slot, at
    MATCH (h:Live)
    USING INDEX SEEK h:Live(slot, valid_from, has_value)
    WHERE h.slot = slot AND h.valid_from <= at AND h.has_value IS NOT NULL
      AND coalesce(h.until > at, true)
    WITH h
    ORDER BY h.slot DESC, h.valid_from DESC, h.has_value DESC
    LIMIT 1
    RETURN collect(h) AS holders
  }
  WITH f, head(holders) AS h
  WITH f, coalesce(h.has_value = f.has_value AND (NOT f.has_value OR h.value = f.value
    AND split(h.value_type, ':')[0] = split(f.value_type, ':')[0]), false) AS holds
  ORDER BY holds, f.recorded_at DESC, f.id
  LIMIT 100
  RETURN collect([holds,
    f.id, f.subject, f.attribute, f.has_value, f.value, f.value_type,
    f.valid_from.epochSeconds * 1000000 + f.valid_from.microsecond,
    f.until.epochSeconds * 1000000 + f.until.microsecond,
    f.recorded_at.epochSeconds * 1000000 + f.recorded_at.microsecond,
    f.retracted_at.epochSeconds * 1000000 + f.retracted_at.microsecond,
    f.episode_id, f.source, head([(f)-[:SUPERSEDES]->(s) | s.id]),
    f.schema_version, f.memory_type, f.retention
  ]) AS facts
}
RETURN facts, e.id AS id, e.text AS text, e.kind AS kind, e.source AS source,
  e.occurred_at.epochSeconds * 1000000 + e.occurred_at.microsecond AS occurred_at,
  e.recorded_at.epochSeconds * 1000000 + e.recorded_at.microsecond AS recorded_at,
  e.session AS session, e.retention AS retention, e.metadata AS metadata
