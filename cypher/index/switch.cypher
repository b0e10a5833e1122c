// Makes searches use the rebuilt index.
// Parameters:
//   kind: text or vector
//   generation: generation of the rebuild
// Columns: generation; no row where another rebuild has begun since
MATCH (i:Index {kind: $kind})
SET i.locked = true
REMOVE i.locked
WITH i
WHERE i.building = $generation
SET i.generation = i.building, i.name = i.building_name, i.language = i.building_language,
  i.embedder = i.building_embedder, i.dimension = i.building_dimension, i.slot = i.building_slot,
  i.filtered = i.building_filtered
REMOVE i.building, i.building_name, i.building_language, i.building_embedder, i.building_dimension,
  i.building_slot, i.building_filtered
RETURN i.generation AS generation
