// The episodes of one tenant that are nearest to a vector, by an exact comparison with all of the tenant's passages;
// for tenants with few passages.
// Parameters:
//   tenant: text
//   generation: generation of the vectors to compare with; with any other, nothing is found
//   vector: list of floats
//   limit: the most rows to return
//   kinds: list of text; null for all
//   sources: list of text; null for all
//   session: text; null for all
//   said_from: DATETIME with offset Z; null for any
//   said_before: DATETIME with offset Z, exclusive; null for any
//   known_at: DATETIME with offset Z; null for now
//   ids: list of episode ids; null for all
//   about: key of the entity that a fact which they support is of, or has as its value; null for any
// Columns: returned (how many episodes), hits (these, each by its nearest passage: list of [id, score (0 to 1),
//   recorded_at (microseconds since 1970), in_session (BOOLEAN), start, end (of the passage)])
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
  AND ($about IS NULL OR EXISTS {
    MATCH (e)<-[c:FROM_EPISODE]-(f:Fact)
    WHERE (f.subject = $about OR EXISTS { (f)-[:OBJECT]->(:Entity {tenant: $tenant, key: $about}) })
      AND ($known_at IS NULL OR c.recorded_at <= $known_at)
  })
WITH e, p, vector.similarity.cosine(embedding, $vector) AS score
ORDER BY score DESC, p.number
WITH e, head(collect([score, p.start, p.end])) AS best
ORDER BY best[0] DESC, e.recorded_at, e.id
LIMIT $limit
RETURN count(*) AS returned,
  collect([e.id, best[0], e.recorded_at.epochSeconds * 1000000 + e.recorded_at.microsecond,
    e.session IS NOT NULL, best[1], best[2]]) AS hits
