// The quotes of the first episodes of some facts, where they have one.
// Parameters:
//   ids: list of fact ids
// Columns: id, quote
UNWIND $ids AS id
MATCH (f:Fact {id: id})-[c:FROM_EPISODE]->(p:Episode)
WHERE p.id = f.episode_id AND c.quote IS NOT NULL
RETURN id, c.quote AS quote
