// The episodes of one tenant that are nearest to a vector, by comparing it with all of the tenant's passages. It is for
// tenants that have few of them, and exact.
// Parameters:
//   tenant: text
//   generation: of the vectors to compare with; with any other, nothing is found
//   vector: list of floats
//   limit: how many at the most
//   kinds: list of text; null for all
//   sources: list of text; null for all
//   session: text; null for all
//   said_from: DATETIME with offset Z; null for any
//   said_before: DATETIME with offset Z, exclusive; null for any
//   known_at: DATETIME with offset Z; null for now
//   ids: list of episode ids; null for all
// Columns: of each episode, by its nearest passage: id, score (0 to 1),
//   recorded_at (microseconds since 1970), beside (the turns before and after it that count: list of [id,
//   recorded_at]), start, end (of the passage)
MATCH (i:Index {kind: 'vector', generation: $generation})
MATCH (p:Passage)
USING INDEX SEEK p:Passage(tenant)
WHERE p.tenant = $tenant
MATCH (p)-[:PART_OF]->(e:Episode)
WITH e, p, CASE i.slot WHEN 'a' THEN p.embedding_a ELSE p.embedding_b END AS embedding
WHERE embedding IS NOT NULL AND e.tenant = $tenant AND ($kinds IS NULL OR e.kind IN $kinds)
    AND ($sources IS NULL OR e.source IN $sources) AND ($session IS NULL OR e.session = $session)
    AND ($said_from IS NULL OR e.said_at >= $said_from) AND ($said_before IS NULL OR e.said_at < $said_before)
    AND ($known_at IS NULL OR e.recorded_at <= $known_at) AND ($ids IS NULL OR e.id IN $ids)
WITH e, p, vector.similarity.cosine(embedding, $vector) AS score
ORDER BY score DESC, p.number
WITH e, head(collect([score, p.start, p.end])) AS best
ORDER BY best[0] DESC, e.recorded_at, e.id
LIMIT $limit
WITH e, best[0] AS score, best[1] AS start, best[2] AS end
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
RETURN e.id AS id, score,
  e.recorded_at.epochSeconds * 1000000 + e.recorded_at.microsecond AS recorded_at, beside,
  start, end
