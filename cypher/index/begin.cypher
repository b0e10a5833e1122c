// Begins a rebuild. What stands in its way is dropped and cleared before this is committed, while the lock on the
// index keeps all other rebuilds waiting: so nobody sees a rebuild whose place is not ready, and nobody clears the
// place of another's.
// Parameters:
//   kind: text or vector
//   active: generation that was in use when it was chosen where to build
//   language: of a text index; else null
//   embedder: of a vector index, name of the model; else null
//   dimension: of a vector index; else null
//   slot: a or b
//   filtered: of a vector index, whether it filters by tenant; else null
// Columns: generation (of the rebuild, never that of an earlier one), name (of the new index); no row where another
//   index is in use by now, or another rebuild has begun
MATCH (i:Index {kind: $kind})
SET i.locked = true
REMOVE i.locked
WITH i
WHERE i.generation = $active AND i.building IS NULL
SET i.begun = 1 + CASE WHEN i.begun > i.generation THEN i.begun ELSE i.generation END
SET i.building = i.begun,
  i.building_name = CASE $kind WHEN 'text' THEN 'passage_text_' + i.begun ELSE 'passage_' + $slot END,
  i.building_language = $language, i.building_embedder = $embedder,
  i.building_dimension = $dimension, i.building_slot = $slot, i.building_filtered = $filtered
RETURN i.building AS generation, i.building_name AS name
