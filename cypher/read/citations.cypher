// All episodes behind a fact.
// Parameters:
//   tenant: text
//   id: fact id
// Columns: episode id, quote, start, end, recorded_at in microseconds since 1970
MATCH (f:Fact {id: $id})-[c:FROM_EPISODE]->(e:Episode)
WHERE f.tenant = $tenant
RETURN e.id AS episode, c.quote AS quote, c.start AS start, c.end AS end,
  c.recorded_at.epochSeconds * 1000000 + c.recorded_at.microsecond AS recorded_at
