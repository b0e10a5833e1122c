// The policies that applied to an entity on a date: policies that name the entity, and policies that name an entity it
// belonged to then.
// Parameters:
//   tenant: text
//   key: key of the entity, such as an account
//   applies: attribute by which a policy names its entities, such as applies_to
//   belongs: list of the attributes by which the entity belongs to others, such as account_tier
//   at: DATETIME with offset Z
// Columns: policy, through (key of the entity that the policy names), source, quote, episode, fact
MATCH (e:Entity {tenant: $tenant, key: $key})
CALL (e) {
  RETURN e AS named
  UNION
  MATCH (e)-[b]->(g:Entity)
  WHERE type(b) IN [attribute IN $belongs | toUpper(attribute)]
    AND b.valid_from <= $at AND coalesce(b.valid_to > $at, true)
  RETURN g AS named
}
MATCH (named)<-[r]-(policy:Entity)
WHERE type(r) = toUpper($applies) AND r.valid_from <= $at AND coalesce(r.valid_to > $at, true)
MATCH (f:Fact {id: r.fact_id})-[c:FROM_EPISODE]->(p:Episode)
WHERE p.id = f.episode_id
RETURN policy.key AS policy, named.key AS through, p.source AS source, c.quote AS quote, p.id AS episode, f.id AS fact
ORDER BY policy, through
