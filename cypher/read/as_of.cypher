// What holds in each of some slots at one instant, as known now: one for a slot of which anything is known.
// The segment that holds starts where the last entry ranking above it ended, and ends where the next starts.
// Parameters:
//   slots: list of slot keys
//   at: DATETIME with offset Z; null for now
// Columns: found (list of [position (in slots), valid_from, valid_to, then those of an entry]), marks (for each slot
//   [clock, moved, exists], by which all is of one state: graph_memory/ledger/marks.py); instants in microseconds since 1970
CALL () {
  UNWIND range(0, size($slots) - 1) AS position
  WITH $slots[position] AS slot
  CALL (slot) {
    MATCH ()-[h:HAS_SLOT]->()
    USING INDEX SEEK h:HAS_SLOT(slot, clock)
    WHERE h.slot = slot AND h.clock IS NOT NULL
    RETURN collect([h, h.clock.epochSeconds * 1000000 + h.clock.microsecond]) AS marks
  }
  CALL (slot, marks) {
    UNWIND CASE marks WHEN [] THEN [slot] ELSE [] END AS unmarked
    MATCH (s:Slot {key: unmarked})
    RETURN count(s) > 0 AS exists
  }
  RETURN collect([marks, exists]) AS before
}
CALL (before) {
  WITH coalesce($at, datetime({datetime: datetime.realtime(), timezone: 'Z'})) AS at
  UNWIND range(0, size($slots) - 1) AS position
  WITH at, position, $slots[position] AS slot
  CALL (at, slot) {
    MATCH (f:Live)
    USING INDEX SEEK f:Live(slot, valid_from, has_value)
    WHERE f.slot = slot AND f.valid_from <= at AND f.has_value IS NOT NULL
      AND coalesce(f.until > at, true)
    RETURN f
    ORDER BY f.slot DESC, f.valid_from DESC, f.has_value DESC
    LIMIT 1
  }
  CALL (at, slot) {
    MATCH (n:Live)
    USING INDEX SEEK n:Live(slot, valid_from, has_value)
    WHERE n.slot = slot AND n.valid_from > at AND n.has_value IS NOT NULL
    WITH n
    ORDER BY n.slot, n.valid_from, n.has_value
    LIMIT 1
    RETURN min(n.valid_from) AS next
  }
  CALL (at, slot, f) {
    WITH at, slot, f.valid_from AS start, f.has_value AS has_value
    MATCH (p:Live)
    USING INDEX SEEK p:Live(slot, valid_from, has_value)
    WHERE p.slot = slot AND p.valid_from >= start AND p.valid_from <= at AND p.has_value IS NOT NULL
      AND CASE p.valid_from WHEN start THEN p.has_value > has_value ELSE true END
    RETURN max(p.until) AS previous
  }
  WITH position, f, coalesce(previous, f.valid_from) AS valid_from,
    CASE WHEN next < f.until THEN next ELSE coalesce(f.until, next) END AS valid_to
  RETURN collect([position, valid_from.epochSeconds * 1000000 + valid_from.microsecond,
    valid_to.epochSeconds * 1000000 + valid_to.microsecond,
    f.id, f.subject, f.attribute, f.has_value,
    f.value, f.value_type,
    f.valid_from.epochSeconds * 1000000 + f.valid_from.microsecond,
    f.until.epochSeconds * 1000000 + f.until.microsecond,
    f.recorded_at.epochSeconds * 1000000 + f.recorded_at.microsecond,
    null,
    f.episode_id, f.source, head([(f)-[:SUPERSEDES]->(s) | s.id]),
    f.schema_version, f.memory_type, f.retention]) AS found
}
RETURN found, [m IN before | [m[0][0][1], m[0][0][0].moved.epochSeconds * 1000000 + m[0][0][0].moved.microsecond,
  m[1]]] AS marks
