// Who says some facts, in which words: the episode that said each first, or all that support it.
// Parameters:
//   tenant: text
//   ids: list of fact ids
//   all: BOOLEAN, whether those that confirmed it count
// Columns: id, citations (list of [episode id, source, quote, when it was said, when the ledger learnt of it]);
//   instants in microseconds since 1970
UNWIND $ids AS id
MATCH (f:Fact {id: id})
WHERE f.tenant = $tenant
RETURN id, [(f)-[c:FROM_EPISODE]->(e:Episode) WHERE $all OR e.id = f.episode_id |
  [e.id, e.source, c.quote,
    coalesce(e.occurred_at, e.recorded_at).epochSeconds * 1000000
      + coalesce(e.occurred_at, e.recorded_at).microsecond,
    c.recorded_at.epochSeconds * 1000000 + c.recorded_at.microsecond]] AS citations
