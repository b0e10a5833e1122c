// The entries that a merge moved, each with the fact that replaces it now: the fact that it became, or the fact that
// says the same since another merge was undone.
// Parameters:
//   id: id of the merge, whose entities are locked
// Columns: id (of the moved entry), now (id of the live fact that replaces it, or null), added (ids of the episodes
//   that this fact gained), pending (id of the candidate that replaces it and still waits, or null), later (id of a
//   merge that moved it on, or null)
MATCH (m:Merge {id: $id})-[moved:MOVED]->(f:Fact)
CALL (moved) {
  MATCH (t:Fact {id: moved.to})
  MATCH (t)
    ((x:Fact)<-[s:SUPERSEDES]-(y:Fact)
      WHERE s.kind = 'correction' AND y.slot = x.slot AND y.valid_from = x.valid_from AND y.has_value = x.has_value
      AND coalesce(y.until = x.until, y.until IS NULL AND x.until IS NULL)
      AND coalesce(y.value = x.value, y.value IS NULL AND x.value IS NULL)
      AND coalesce(y.value_type, '') = coalesce(x.value_type, '')){0,64}
    (n:Fact)
  RETURN collect(n) AS chain
}
CALL (chain) {
  UNWIND chain AS n
  OPTIONAL MATCH (n)<-[:MOVED]-(l:Merge)
  WHERE l.undone_at IS NULL
  RETURN head(collect(CASE WHEN n:Live THEN n.id END)) AS now, head(collect(l.id)) AS later
}
OPTIONAL MATCH (c:Candidate {id: moved.candidate})
RETURN f.id AS id, now, coalesce(moved.added, []) AS added, CASE WHEN c.status = 'pending' THEN c.id END AS pending,
  later
