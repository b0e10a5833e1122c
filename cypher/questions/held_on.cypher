// The entities that an attribute of a subject referred to on a date, such as the accounts that a customer held, with
// the sources that say so.
// Parameters:
//   tenant: text
//   subject: entity key
//   attribute: name, such as holds
//   at: DATETIME with offset Z
// Columns: entity, name, since, until (exclusive; null: unbounded), source, quote, episode, fact
MATCH (s:Entity {tenant: $tenant, key: $subject})-[r]->(o:Entity)
WHERE type(r) = toUpper($attribute) AND r.valid_from <= $at AND coalesce(r.valid_to > $at, true)
MATCH (f:Fact {id: r.fact_id})-[c:FROM_EPISODE]->(p:Episode)
WHERE p.id = f.episode_id
RETURN o.key AS entity, o.name AS name, r.valid_from AS since, r.valid_to AS until, p.source AS source,
  c.quote AS quote, p.id AS episode, f.id AS fact
ORDER BY entity
