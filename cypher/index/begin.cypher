// Begins a rebuild; one that is under way is over with it, and finds that out by its generation.
// Parameters:
//   kind: text or vector
//   name: of the new index
//   language: of a text index; else null
//   embedder: of a vector index, name of the model; else null
//   dimension: of a vector index; else null
//   slot: a or b
//   filtered: of a vector index, whether it filters by tenant; else null
// Columns: generation (of the rebuild)
MATCH (i:Index {kind: $kind})
SET i.locked = true
REMOVE i.locked
SET i.building = 1 + CASE WHEN i.building > i.generation THEN i.building ELSE i.generation END,
  i.building_name = $name, i.building_language = $language, i.building_embedder = $embedder,
  i.building_dimension = $dimension, i.building_slot = $slot, i.building_filtered = $filtered
RETURN i.building AS generation
