// The episode that said a fact first and those that confirmed it last, the fact that it replaced, and the facts that
// replaced it.
// Parameters:
//   tenant: text
//   id: fact id
//   limit: the most citations to return
// Columns: citations_total, citations (list of [episode id, quote, start, end, recorded_at in microseconds since 1970]),
//   replaced (fact id), replaced_as, replaced_by (list of fact ids), retracted_by (fact id),
//   retraction_episode (episode id), reason
MATCH (f:Fact {id: $id})
WHERE f.tenant = $tenant
RETURN COUNT { (f)-[:FROM_EPISODE]->() } AS citations_total,
  COLLECT {
    MATCH (f)-[c:FROM_EPISODE]->(e:Episode)
    WITH c, e, CASE e.id WHEN f.episode_id THEN 0 ELSE 1 END AS later, e.id AS id
    ORDER BY later, c.recorded_at DESC, id DESC
    LIMIT toInteger($limit)
    RETURN [id, c.quote, c.start, c.end, c.recorded_at.epochSeconds * 1000000 + c.recorded_at.microsecond]
  } AS citations,
  head([(f)-[:SUPERSEDES]->(o:Fact) | o.id]) AS replaced,
  head([(f)-[s:SUPERSEDES]->(:Fact) | s.kind]) AS replaced_as,
  [(f)<-[:SUPERSEDES]-(n:Fact) | n.id] AS replaced_by,
  head([(f)-[:RETRACTED_BY]->(b:Fact) | b.id]) AS retracted_by,
  head([(f)-[:RETRACTED_BY]->(b:Episode) | b.id]) AS retraction_episode,
  coalesce(head([(f)-[r:RETRACTED_BY]->() | r.reason]), f.retraction_reason) AS reason
