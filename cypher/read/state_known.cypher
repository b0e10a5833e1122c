// What held of a subject at one instant, in all of its slots or those of some attributes, by what the ledger knew
// at another. It answers for a subject what as_of_known answers for slots.
// Parameters:
//   tenant: text
//   subjects: list of entity keys
//   attributes: list of attribute names; null for all
//   at: DATETIME with offset Z; null for now
//   known_at: DATETIME with offset Z
// Columns: found (list of [position, valid_from, valid_to, then those of an entry]), marks (for each slot
//   [clock, moved, exists], by which all is of one state: graph_memory/ledger/marks.py), whole (BOOLEAN: no slot came
//   meanwhile); instants in microseconds since 1970
CALL () {
  UNWIND $subjects AS subject
  MATCH (:Entity {tenant: $tenant, key: subject})-[:HAS_SLOT]->(s:Slot)
  WHERE $attributes IS NULL OR s.attribute IN $attributes
  RETURN collect(s.key) AS slots
}
CALL (slots) {
  UNWIND slots AS slot
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
CALL (slots, before) {
  WITH coalesce($at, datetime({datetime: datetime.realtime(), timezone: 'Z'})) AS at
  UNWIND range(0, size(slots) - 1) AS position
  WITH at, position, slots[position] AS slot, $known_at AS known
  CALL (at, slot, known) {
    MATCH (f:Fact)
    USING INDEX SEEK f:Fact(slot, valid_from, has_value)
    WHERE f.slot = slot AND f.valid_from <= at AND f.has_value IS NOT NULL
      AND f.recorded_at <= known AND coalesce(f.retracted_at > known, true)
      AND coalesce(f.until > at, true)
    RETURN f
    ORDER BY f.slot DESC, f.valid_from DESC, f.has_value DESC
    LIMIT 1
  }
  CALL (at, slot, known) {
    MATCH (n:Fact)
    USING INDEX SEEK n:Fact(slot, valid_from, has_value)
    WHERE n.slot = slot AND n.valid_from > at AND n.has_value IS NOT NULL
      AND n.recorded_at <= known AND coalesce(n.retracted_at > known, true)
    WITH n
    ORDER BY n.slot, n.valid_from, n.has_value
    LIMIT 1
    RETURN min(n.valid_from) AS next
  }
  CALL (at, slot, known, f) {
    WITH at, slot, known, f.valid_from AS start, f.has_value AS has_value
    MATCH (p:Fact)
    USING INDEX SEEK p:Fact(slot, valid_from, has_value)
    WHERE p.slot = slot AND p.valid_from >= start AND p.valid_from <= at AND p.has_value IS NOT NULL
      AND p.recorded_at <= known AND coalesce(p.retracted_at > known, true)
      AND CASE p.valid_from WHEN start THEN p.has_value > has_value ELSE true END
    RETURN max(p.until) AS previous
  }
  WITH position, known, f, coalesce(previous, f.valid_from) AS valid_from,
    CASE WHEN next < f.until THEN next ELSE coalesce(f.until, next) END AS valid_to
  RETURN collect([position, valid_from.epochSeconds * 1000000 + valid_from.microsecond,
    valid_to.epochSeconds * 1000000 + valid_to.microsecond,
    f.id, f.subject, f.attribute, f.has_value,
    f.value, f.value_type,
    f.valid_from.epochSeconds * 1000000 + f.valid_from.microsecond,
    f.until.epochSeconds * 1000000 + f.until.microsecond,
    f.recorded_at.epochSeconds * 1000000 + f.recorded_at.microsecond,
    CASE WHEN f.retracted_at <= known
      THEN f.retracted_at.epochSeconds * 1000000 + f.retracted_at.microsecond END,
    f.episode_id, f.source, head([(f)-[:SUPERSEDES]->(s) | s.id]),
    f.schema_version, f.memory_type, f.retention]) AS found
}
CALL (before, found) {
  UNWIND $subjects AS subject
  MATCH (:Entity {tenant: $tenant, key: subject})-[:HAS_SLOT]->(s:Slot)
  WHERE $attributes IS NULL OR s.attribute IN $attributes
  RETURN count(s) AS after
}
RETURN found, [m IN before | [m[0][0][1], m[0][0][0].moved.epochSeconds * 1000000 + m[0][0][0].moved.microsecond,
  m[1]]] AS marks,
  size(slots) = after AS whole
