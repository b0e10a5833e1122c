// Cancels a rebuild, unless another one has begun since; the index in use stays in use.
// Parameters:
//   kind: text or vector
//   generation: generation of the rebuild
// Columns: none
MATCH (i:Index {kind: $kind})
SET i.locked = true
REMOVE i.locked
WITH i
WHERE i.building = $generation
SET i.begun = CASE WHEN i.begun > i.building THEN i.begun ELSE i.building END
REMOVE i.building, i.building_name, i.building_language, i.building_embedder, i.building_dimension,
  i.building_slot, i.building_filtered
