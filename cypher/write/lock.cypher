// The first query of every write to the ledger: takes the write lock on the entities concerned, in the order of
// their keys, by writing to them; then reads the clock and what the planner has to see.
// The instant of the transaction is the database's clock, after every lock is held, and later than the clock of
// every subject, which moves to it, as do the two marks of each slot that exists: `clock`, which is in an index, and
// `moved`, which is in none. The server applies a commit first to what is in no index, then to the indexes of nodes,
// last to those of relationships: so a read knows from `clock` which writes to a slot are done, and from `moved` that
// another has begun.
// Parameters:
//   tenant: text
//   entities: list of {key, folded (the key in the form in which names are compared, or null), subject (BOOLEAN)},
//     sorted by key; missing entities are created
//   episodes: list of {id, quoted (BOOLEAN: whether its text is needed)}
//   windows: list of {slot, earliest, latest, starts (list), over (when all statements about it are over, or null),
//     ranked (BOOLEAN: whether the sources of confirmations are needed)}; an instant is [seconds since 1970, nanoseconds],
//     because the driver takes far longer to send a DATETIME
// Columns: instant; created (keys of entities that did not exist); episodes (list of [source, text], both null
//   where there is none); windows (list of [position, boundary, live entries, entries at the starts, resumed] for
//   each slot that exists, as a Window of graph_memory/ledger/planner.py; an entry at the starts has its first
//   episode and the given ones); merged (list of [key, key of the entity
//   that it was merged into]); instants in microseconds since 1970
UNWIND $entities AS row
MERGE (e:Entity {tenant: $tenant, key: row.key})
  ON CREATE SET e.name = row.key, e.folded = row.folded, e.aliases = [], e.lock = 'created'
  ON MATCH SET e.lock = 'taken'
WITH row, e, e.lock = 'created' AS created
REMOVE e.lock
WITH collect(e) AS found, collect(CASE WHEN row.subject THEN e END) AS subjects,
  collect(CASE WHEN created THEN row.key END) AS created
CALL (subjects) {
  UNWIND subjects AS s
  RETURN max(s.clock) + duration({microseconds: 1}) AS later
}
WITH found, subjects, created, later,
  datetime({datetime: datetime.truncate('microsecond', datetime.realtime()), timezone: 'Z'}) AS now
WITH found, subjects, created, CASE WHEN later > now THEN later ELSE now END AS instant
FOREACH (s IN subjects | SET s.clock = instant)
WITH created, instant, [e IN found WHERE e.merged_into IS NOT NULL | [e.key, e.merged_into]] AS merged
CALL (instant) {
  UNWIND $episodes AS row
  OPTIONAL MATCH (p:Episode {tenant: $tenant, id: row.id})
  RETURN collect([p.source, CASE WHEN row.quoted THEN p.text END]) AS episodes
}
CALL (instant) {
  UNWIND range(0, size($windows) - 1) AS position
  WITH position, $windows[position] AS w
  WITH position, w.slot AS slot, w.ranked AS ranked, datetime({epochSeconds: w.earliest[0], nanosecond: w.earliest[1]}) AS earliest,
    datetime({epochSeconds: w.latest[0], nanosecond: w.latest[1]}) AS latest,
    [s IN w.starts | datetime({epochSeconds: s[0], nanosecond: s[1]})] AS starts,
    CASE WHEN w.over IS NOT NULL THEN datetime({epochSeconds: w.over[0], nanosecond: w.over[1]}) END AS over
  MATCH (:Slot {key: slot})<-[h:HAS_SLOT]-()
  SET h.clock = instant, h.moved = instant
  WITH DISTINCT position, slot, ranked, earliest, latest, starts, over
  OPTIONAL MATCH (o:Open {slot: slot})
  WITH position, slot, ranked, earliest, latest, starts, over, o.valid_from AS last_open
  CALL (slot, earliest, last_open) {
    WITH slot, earliest, last_open
    WHERE last_open >= earliest
    MATCH (f:Live)
    USING INDEX SEEK f:Live(slot, valid_from, has_value)
    WHERE f.slot = slot AND f.valid_from < earliest AND f.has_value IS NOT NULL AND f.until IS NULL
    WITH f
    ORDER BY f.slot DESC, f.valid_from DESC, f.has_value DESC
    LIMIT 1
    RETURN max(f.valid_from) AS found
  }
  CALL (slot, starts, over) {
    WITH slot, starts, over
    WHERE over IS NOT NULL
    UNWIND starts AS start
    MATCH (f:Live)
    USING INDEX SEEK f:Live(slot, valid_from, has_value)
    WHERE f.slot = slot AND f.valid_from = start AND f.has_value IS NOT NULL
    RETURN max(f.until) AS until, count(f) > count(f.until) AS unbounded
  }
  WITH position, slot, ranked, earliest, latest, starts, last_open, found,
    CASE WHEN unbounded THEN null WHEN until > over THEN until ELSE over END AS all_over
  CALL (slot, latest, all_over) {
    WITH slot, latest, all_over
    WHERE all_over IS NOT NULL
    MATCH (f:Live)
    USING INDEX SEEK f:Live(slot, valid_from, has_value)
    WHERE f.slot = slot AND f.valid_from >= all_over AND f.valid_from > latest AND f.has_value IS NOT NULL
    WITH f
    ORDER BY f.slot, f.valid_from, f.has_value
    LIMIT 1
    RETURN min(f.valid_from) AS next
  }
  WITH position, slot, ranked, earliest, latest, starts, last_open, next,
    coalesce(CASE WHEN last_open < earliest THEN last_open ELSE found END, datetime('-0001-01-01T00:00Z')) AS from
  CALL (slot, latest, last_open, next) {
    WITH slot, latest, last_open, coalesce(next, datetime('+10000-01-01T00:00Z')) AS end
    WHERE last_open > latest
    MATCH (f:Live)
    USING INDEX SEEK f:Live(slot, valid_from, has_value)
    WHERE f.slot = slot AND f.valid_from > latest AND f.valid_from < end AND f.has_value IS NOT NULL
      AND f.until IS NULL
    WITH f
    ORDER BY f.slot, f.valid_from, f.has_value
    LIMIT 1
    RETURN min(f.valid_from) AS open
  }
  WITH position, slot, ranked, earliest, starts, from, coalesce(open, next) AS boundary
  CALL (slot, ranked, earliest, from, boundary) {
    WITH slot, ranked, earliest, from, coalesce(boundary, datetime('+10000-01-01T00:00Z')) AS to
    MATCH (f:Live)
    USING INDEX SEEK f:Live(slot, valid_from, has_value)
    WHERE f.slot = slot AND f.valid_from >= from AND f.valid_from < to AND f.has_value IS NOT NULL
      AND coalesce(f.until > earliest, true)
    RETURN collect([f.id, f.valid_from.epochSeconds * 1000000 + f.valid_from.microsecond,
      f.until.epochSeconds * 1000000 + f.until.microsecond, f.has_value, f.value, f.value_type, f.source,
      CASE WHEN ranked THEN COLLECT { MATCH (f)-[c:FROM_EPISODE]->() RETURN DISTINCT c.source } END, [f.episode_id]]) AS live
  }
  WITH position, slot, ranked, earliest, starts, boundary, live,
    reduce(best = null, e IN live | CASE
      WHEN e[1] < earliest.epochSeconds * 1000000 + earliest.microsecond
        AND coalesce(e[1] > best[1] OR e[1] = best[1] AND e[3], true) THEN e
      ELSE best END) AS held
  CALL (slot, earliest, held) {
    MATCH (h:Fact {id: held[0]})
    WITH slot, earliest, h.valid_from AS start, h.has_value AS has_value
    MATCH (f:Live)
    USING INDEX SEEK f:Live(slot, valid_from, has_value)
    WHERE f.slot = slot AND f.valid_from >= start AND f.valid_from < earliest AND f.has_value IS NOT NULL
      AND CASE f.valid_from WHEN start THEN f.has_value > has_value ELSE true END
    RETURN max(f.until) AS resumed
  }
  CALL (slot, ranked, starts) {
    UNWIND starts AS start
    MATCH (f:Fact)
    USING INDEX SEEK f:Fact(slot, valid_from, has_value)
    WHERE f.slot = slot AND f.valid_from = start AND f.has_value IS NOT NULL
    RETURN collect([f.id, f.valid_from.epochSeconds * 1000000 + f.valid_from.microsecond,
      f.until.epochSeconds * 1000000 + f.until.microsecond, f.has_value, f.value, f.value_type, f.source,
      CASE WHEN ranked THEN COLLECT { MATCH (f)-[c:FROM_EPISODE]->() RETURN DISTINCT c.source } END,
      CASE WHEN COUNT { (f)-[:FROM_EPISODE]->() } <= 20 THEN [(f)-[:FROM_EPISODE]->(p) | p.id]
        ELSE [f.episode_id] + COLLECT {
          UNWIND $episodes AS row
          MATCH (p:Episode {tenant: $tenant, id: row.id})
          USING INDEX SEEK p:Episode(tenant, id)
          MATCH (f)-[:FROM_EPISODE]->(p)
          RETURN p.id} END,
      f.retracted_at IS NULL,
      head([(f)-[:RETRACTED_BY]->(b:Fact) | b.id])]) AS there
  }
  RETURN collect([position, boundary.epochSeconds * 1000000 + boundary.microsecond, live, there,
    resumed.epochSeconds * 1000000 + resumed.microsecond]) AS windows
}
RETURN instant.epochSeconds * 1000000 + instant.microsecond AS instant, created, episodes, windows,
  merged
