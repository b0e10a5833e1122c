// Records the model whose vectors searches use, unless one is recorded already.
// Parameters:
//   embedder: name of the model
//   dimension: numbers in a vector
//   filtered: whether the index filters by tenant
// Columns: none
MERGE (i:Index {kind: 'vector'})
ON CREATE SET i.generation = 1, i.slot = 'a', i.name = 'passage_a', i.embedder = $embedder,
  i.dimension = $dimension, i.filtered = $filtered
