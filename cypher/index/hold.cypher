// Holds the lock on an index until the transaction ends, so that no rebuild begins, ends or is cancelled meanwhile.
// Parameters:
//   kind: text or vector
// Columns: generation (in use), building (generation; null where none is built)
MATCH (i:Index {kind: $kind})
SET i.locked = true
REMOVE i.locked
RETURN i.generation AS generation, i.building AS building
