// What tells of some slots which write to each is done, and which has begun.
// Parameters:
//   slots: list of slot keys
// Columns: marks (for each slot [clock, moved, exists], as in as_of); instants in microseconds since 1970
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
RETURN [m IN before | [m[0][0][1], m[0][0][0].moved.epochSeconds * 1000000 + m[0][0][0].moved.microsecond,
  m[1]]] AS marks
