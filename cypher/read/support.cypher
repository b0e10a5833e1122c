// The sources and quotes of some facts, from the first episode of each or from all that support it; and the candidates
// for some attributes of some entities that wait for a person's review.
// Parameters:
//   tenant: text
//   ids: list of fact ids
//   all: BOOLEAN, whether to include the episodes that confirmed a fact
//   subjects: list of entity keys
//   attributes: list of attribute names
// Columns: fact (id; null for a candidate), subject, attribute (of a candidate), episode (id), source, words (the
//   quote; for a candidate, the reason), said_at, recorded_at (of the support or the candidate; both in microseconds
//   since 1970), candidate (id; null for a fact)
CALL () {
  UNWIND $ids AS id
  MATCH (f:Fact {id: id})-[c:FROM_EPISODE]->(e:Episode)
  WHERE f.tenant = $tenant AND ($all OR e.id = f.episode_id)
  RETURN id AS fact, null AS subject, null AS attribute, e.id AS episode, e.source AS source, c.quote AS words,
    coalesce(e.occurred_at, e.recorded_at) AS said_at, c.recorded_at AS recorded_at, null AS candidate
  UNION ALL
  UNWIND $subjects AS subject
  UNWIND $attributes AS attribute
  MATCH (c:Candidate)
  USING INDEX SEEK c:Candidate(tenant, status, subject, attribute)
  WHERE c.tenant = $tenant AND c.status = 'pending' AND c.subject = subject AND c.attribute = attribute
  RETURN null AS fact, subject, attribute, c.episode_id AS episode, c.source AS source, c.reason AS words,
    c.recorded_at AS said_at, c.recorded_at AS recorded_at, c.id AS candidate
}
RETURN fact, subject, attribute, episode, source, words,
  said_at.epochSeconds * 1000000 + said_at.microsecond AS said_at,
  recorded_at.epochSeconds * 1000000 + recorded_at.microsecond AS recorded_at, candidate
