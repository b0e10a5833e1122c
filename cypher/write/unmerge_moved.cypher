// What a merge moved, and what stands for it now: the fact that it became, or the one that says the same in its place
// since another merge was undone.
// Parameters:
//   id: of the merge, whose entities are locked
// Columns: id (of the entry that was moved), now (id of the live one that stands for it, or null), added (ids of the
//   episodes that this thereby gained), pending (id of the candidate that stands for it and waits still, or null),
//   later (id of a merge that moved it on, or null)
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
