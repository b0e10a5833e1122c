// The entries of some slots that the ledger held for live at an instant, in no order; the library cuts them into
// segments.
// Parameters:
//   slots: list of slot keys
//   known: list of DATETIME with offset Z, one for each slot, or one for all
// Columns: found (list of [position (in slots), then those of an entry]), marks (for each slot
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
  UNWIND range(0, size($slots) - 1) AS position
  WITH position, $slots[position] AS slot, coalesce($known[position], $known[0]) AS known
  MATCH (f:Fact)
  USING INDEX SEEK f:Fact(slot, valid_from, has_value)
  WHERE f.slot = slot AND f.valid_from IS NOT NULL AND f.has_value IS NOT NULL
    AND f.recorded_at <= known AND coalesce(f.retracted_at > known, true)
  RETURN collect([position,
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
RETURN found, [m IN before | [m[0][0][1], m[0][0][0].moved.epochSeconds * 1000000 + m[0][0][0].moved.microsecond,
  m[1]]] AS marks
