// Removes the vectors of a slot from all passages.
// Parameters:
//   property: embedding_a or embedding_b
// Columns: none
MATCH (p:Passage)
WHERE p[$property] IS NOT NULL
CALL (p) {
  REMOVE p[$property]
} IN TRANSACTIONS OF 1000 ROWS
