// Passages of one tenant that are nearest to a vector, by the index of slot a, which filters by the tenant. What
// else their episodes have to be is checked of each hit, so the caller asks for more where too few are left.
// Parameters:
//   tenant: text
//   generation: of the vectors that the index has to hold; with any other, nothing is found
//   vector: list of floats
//   limit: how many hits at the most
//   kinds: list of text; null for all
//   sources: list of text; null for all
//   session: text; null for all
//   said_from: DATETIME with offset Z; null for any
//   said_before: DATETIME with offset Z, exclusive; null for any
//   known_at: DATETIME with offset Z; null for now
//   ids: list of episode ids; null for all
// Columns: returned (how many the index gave), lowest (their lowest score); then of each that counts, or null where
//   none does: id, score (0 to 1),
//   recorded_at (microseconds since 1970), beside (the turns before and after it that count: list of [id,
//   recorded_at]), start, end (of the passage)
CYPHER 25
MATCH (i:Index {kind: 'vector', generation: $generation})
CALL (i) {
  MATCH (p:Passage)
    SEARCH p IN (VECTOR INDEX passage_a FOR $vector WHERE p.tenant = $tenant LIMIT $limit) SCORE AS score
  MATCH (p)-[:PART_OF]->(e:Episode)
  RETURN count(*) AS returned, min(score) AS lowest, collect(CASE WHEN
    e.tenant = $tenant AND ($kinds IS NULL OR e.kind IN $kinds)
    AND ($sources IS NULL OR e.source IN $sources) AND ($session IS NULL OR e.session = $session)
    AND ($said_from IS NULL OR e.said_at >= $said_from) AND ($said_before IS NULL OR e.said_at < $said_before)
    AND ($known_at IS NULL OR e.recorded_at <= $known_at) AND ($ids IS NULL OR e.id IN $ids)
    THEN [e, score, p.start, p.end] END) AS found
}
UNWIND CASE found WHEN [] THEN [[null, null, null, null]] ELSE found END AS hit
WITH returned, lowest, hit[0] AS e, hit[1] AS score, hit[2] AS start, hit[3] AS end
CALL (e) {
  CALL (e) {
    MATCH (e) ((:Episode)-[:NEXT]->(later:Episode WHERE later.recorded_at > $known_at))* (:Episode)
      -[:NEXT]->(n:Episode)
    RETURN n
  UNION
    MATCH (n:Episode)-[:NEXT]->(:Episode)
      ((later:Episode WHERE later.recorded_at > $known_at)-[:NEXT]->(:Episode))* (e)
    RETURN n
  }
  WITH n
  WHERE n.tenant = $tenant AND ($kinds IS NULL OR n.kind IN $kinds)
    AND ($sources IS NULL OR n.source IN $sources) AND ($session IS NULL OR n.session = $session)
    AND ($said_from IS NULL OR n.said_at >= $said_from) AND ($said_before IS NULL OR n.said_at < $said_before)
    AND ($known_at IS NULL OR n.recorded_at <= $known_at) AND ($ids IS NULL OR n.id IN $ids)
  RETURN collect([n.id, n.recorded_at.epochSeconds * 1000000 + n.recorded_at.microsecond]) AS beside
}
RETURN returned, lowest, e.id AS id, score,
  e.recorded_at.epochSeconds * 1000000 + e.recorded_at.microsecond AS recorded_at, beside,
  start, end
