// The indexes that searches use, and the indexes that rebuilds will put in their place.
// Parameters: none
// Columns: kind, generation, name, language, embedder, dimension, slot, filtered, building (generation),
//   building_name, building_language, building_embedder, building_dimension, building_slot, building_filtered
MATCH (i:Index)
RETURN i.kind AS kind, i.generation AS generation, i.name AS name, i.language AS language, i.embedder AS embedder,
  i.dimension AS dimension, i.slot AS slot, i.filtered AS filtered, i.building AS building,
  i.building_name AS building_name, i.building_language AS building_language,
  i.building_embedder AS building_embedder, i.building_dimension AS building_dimension,
  i.building_slot AS building_slot, i.building_filtered AS building_filtered
