// Says whose vectors searches use, where nothing says so yet.
// Parameters:
//   embedder: name of the model
//   dimension: of its vectors
//   filtered: whether the index filters by tenant
// Columns: none
MERGE (i:Index {kind: 'vector'})
ON CREATE SET i.generation = 1, i.slot = 'a', i.name = 'passage_a', i.embedder = $embedder,
  i.dimension = $dimension, i.filtered = $filtered
