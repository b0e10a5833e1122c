// The other subjects that had the same value of an attribute as one subject at an instant.
// Parameters:
//   tenant: text
//   subject: entity key
//   attribute: name
//   at: DATETIME with offset Z
// Columns: subject, since, until (exclusive; null: unbounded), source, episode, fact
MATCH (s:Entity {tenant: $tenant, key: $subject})-[r]->(v)
WHERE type(r) = toUpper($attribute) AND r.valid_from <= $at AND coalesce(r.valid_to > $at, true)
CALL (s, v) {
  WITH s, v
  WHERE v:Entity
  MATCH (v)<-[o]-(other:Entity)
  WHERE type(o) = toUpper($attribute)
  RETURN o, other
  UNION
  WITH s, v
  WHERE v:Fact
  MATCH (same:Fact)
  USING INDEX SEEK same:Fact(tenant, attribute, valid_from)
  WHERE same.tenant = $tenant AND same.attribute = $attribute AND same.valid_from <= $at
    AND same.value_type = v.value_type AND same.value = v.value
  MATCH (same)<-[o]-(other:Entity)
  WHERE o.fact_id = same.id
  RETURN o, other
}
WITH o, other
WHERE other.key <> $subject AND o.valid_from <= $at AND coalesce(o.valid_to > $at, true)
MATCH (f:Fact {id: o.fact_id})
RETURN DISTINCT other.key AS subject, o.valid_from AS since, o.valid_to AS until, f.source AS source,
  f.episode_id AS episode, f.id AS fact
ORDER BY subject
