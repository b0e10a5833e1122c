// Episodes of one tenant whose text matches a query. The index itself requires the tenant's token. All tenants share
// its word statistics, so writes of another tenant may shift scores but never change the set of matches. Each hit is
// checked for the other filters afterwards, so the caller asks for more hits where too few are left.
// Parameters:
//   tenant: text
//   query: Lucene query that requires the tenant's token
//   limit: the most hits to return
//   kinds: list of text; null for all
//   sources: list of text; null for all
//   session: text; null for all
//   said_from: DATETIME with offset Z; null for any
//   said_before: DATETIME with offset Z, exclusive; null for any
//   known_at: DATETIME with offset Z; null for now
//   ids: list of episode ids; null for all
// Columns: returned (how many the index gave), hits (the hits that pass the filters: list of [id, score, recorded_at
//   (microseconds since 1970), in_session (BOOLEAN)])
MATCH (i:Index {kind: 'text'})
CALL db.index.fulltext.queryNodes(i.name, $query, {limit: $limit}) YIELD node AS e, score
RETURN count(*) AS returned, collect(CASE WHEN score > 0
  AND e.tenant = $tenant AND ($kinds IS NULL OR e.kind IN $kinds)
  AND ($sources IS NULL OR e.source IN $sources) AND ($session IS NULL OR e.session = $session)
  AND ($said_from IS NULL OR e.said_at >= $said_from) AND ($said_before IS NULL OR e.said_at < $said_before)
  AND ($known_at IS NULL OR e.recorded_at <= $known_at) AND ($ids IS NULL OR e.id IN $ids)
  THEN [e.id, score, e.recorded_at.epochSeconds * 1000000 + e.recorded_at.microsecond,
    e.session IS NOT NULL] END) AS hits
