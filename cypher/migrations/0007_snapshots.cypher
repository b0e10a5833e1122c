// The marks by which a read beside a write is of one state of a slot: the instant of the last write to it, once in an
// index and once in none (write/lock). Every statement may be run again.
// Parameters: none
// Columns: none
CREATE INDEX slot_clock IF NOT EXISTS FOR ()-[h:HAS_SLOT]-() ON (h.slot, h.clock);
MATCH (e:Entity)-[h:HAS_SLOT]->(s:Slot)
WHERE h.clock IS NULL
CALL (e, h, s) {
  WITH h, s, coalesce(e.clock, datetime('1970-01-01T00:00Z')) AS clock
  SET h.slot = s.key, h.clock = clock, h.moved = clock
} IN TRANSACTIONS OF 10000 ROWS;
