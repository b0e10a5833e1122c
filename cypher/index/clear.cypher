// Removes the vectors, or the terms, of a slot from all passages.
// Parameters:
//   property: embedding_a, embedding_b, terms_a or terms_b
// Columns: none
MATCH (p:Passage)
WHERE p[$property] IS NOT NULL
CALL (p) {
  REMOVE p[$property]
} IN TRANSACTIONS OF 1000 ROWS
