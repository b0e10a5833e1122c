// The passages of one tenant that are nearest to a vector, by the index of slot b, which filters by tenant. Each hit
// is checked for the other filters afterwards, so the caller asks for more hits where too few are left.
// Parameters:
//   tenant: text
//   generation: generation of the index's vectors; with any other, nothing is found
//   vector: list of floats
//   limit: the most hits to return
//   kinds: list of text; null for all
//   sources: list of text; null for all
//   session: text; null for all
//   said_from: DATETIME with offset Z; null for any
//   said_before: DATETIME with offset Z, exclusive; null for any
//   known_at: DATETIME with offset Z; null for now
//   ids: list of episode ids; null for all
//   about: key of the entity that a fact which they support is of, or has as its value; null for any
// Columns: returned (how many the index gave), hits (those that count: list of [id, score (0 to 1), recorded_at
//   (microseconds since 1970), in_session (BOOLEAN), start, end (of the passage)])
CYPHER 25
MATCH (i:Index {kind: 'vector', generation: $generation})
CALL (i) {
  MATCH (p:Passage)
    SEARCH p IN (VECTOR INDEX passage_b FOR $vector WHERE p.tenant = $tenant LIMIT $limit) SCORE AS score
  MATCH (p)-[:PART_OF]->(e:Episode)
  RETURN e, p, score
}
RETURN count(*) AS returned, collect(CASE WHEN
  e.tenant = $tenant AND ($kinds IS NULL OR e.kind IN $kinds)
  AND ($sources IS NULL OR e.source IN $sources) AND ($session IS NULL OR e.session = $session)
  AND ($said_from IS NULL OR e.said_at >= $said_from) AND ($said_before IS NULL OR e.said_at < $said_before)
  AND ($known_at IS NULL OR e.recorded_at <= $known_at) AND ($ids IS NULL OR e.id IN $ids)
  AND ($about IS NULL OR EXISTS {
    MATCH (e)<-[c:FROM_EPISODE]-(f:Fact)
    WHERE (f.subject = $about OR EXISTS { (f)-[:OBJECT]->(:Entity {tenant: $tenant, key: $about}) })
      AND ($known_at IS NULL OR c.recorded_at <= $known_at)
  })
  THEN [e.id, score, e.recorded_at.epochSeconds * 1000000 + e.recorded_at.microsecond,
    e.session IS NOT NULL, p.start, p.end] END) AS hits
