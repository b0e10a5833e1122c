// The entities that an entity rested on at an instant, directly or through others, such as the decisions behind a
// task; up to eight steps away, each with one of the shortest paths to it.
// Parameters:
//   tenant: text
//   key: key of the entity, such as a task
//   attributes: list of the attributes to follow, such as rests_on
//   kind: of the entities to return, such as Decision; null for all
//   at: DATETIME with offset Z
// Columns: entity, steps, way (list of the keys on the way, the entity itself last), facts (list of fact ids)
MATCH (t:Entity {tenant: $tenant, key: $key})
MATCH SHORTEST 1 (t) (()-[r
  WHERE type(r) IN [attribute IN $attributes | toUpper(attribute)]
    AND r.valid_from <= $at AND coalesce(r.valid_to > $at, true)
]->(n:Entity)){1,8} (d:Entity)
WHERE ($kind IS NULL OR $kind IN labels(d)) AND d <> t
RETURN d.key AS entity, size(r) AS steps, [e IN n | e.key] AS way, [e IN r | e.fact_id] AS facts
ORDER BY steps, entity
