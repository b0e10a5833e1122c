// Begins a rebuild. The lock on the index makes all other rebuilds wait until this transaction has dropped and cleared
// the old contents of the slot and committed. So nobody sees a rebuild whose slot is not ready, and no rebuild clears
// the slot of another.
// Parameters:
//   kind: text or vector
//   active: generation that was in use when the slot was chosen
//   language: language of a text index; null for a vector index
//   embedder: name of a vector index's model; null for a text index
//   dimension: numbers in a vector of a vector index; null for a text index
//   slot: a or b
//   filtered: whether a vector index filters by tenant; null for a text index
// Columns: generation (of the rebuild; no earlier rebuild has the same), name (of the new index); no row where another
//   index has come into use, or another rebuild has begun
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
