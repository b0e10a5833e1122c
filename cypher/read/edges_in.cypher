// The facts between entities that point to given entities and hold at an instant, as known now; where there are too
// many, those with the latest starts. The entity at the other end of a fact is the one that is reached.
// Parameters:
//   tenant: text
//   keys: list of entity keys
//   types: list of relationship types; null for all
//   kinds: reach only entities with one of these kinds; null for all
//   exempt: list of keys of entities that are reached whatever their kinds
//   memory_types: list of the allowed memory types of facts; null for all
//   at: DATETIME with offset Z; null for now
//   limit: the most rows to return
// Columns: subject, type, object, valid_from, valid_to, fact_id, episode_id; instants in microseconds since 1970
WITH coalesce($at, datetime({datetime: datetime.realtime(), timezone: 'Z'})) AS at
UNWIND $keys AS key
MATCH (e:Entity {tenant: $tenant, key: key})<-[r]-(o:Entity)
WHERE ($types IS NULL OR type(r) IN $types) AND r.valid_from <= at AND coalesce(r.valid_to > at, true)
  AND ($kinds IS NULL OR o.key IN $exempt OR any(kind IN labels(o) WHERE kind IN $kinds))
  AND ($memory_types IS NULL OR EXISTS { MATCH (m:Fact {id: r.fact_id}) WHERE m.memory_type IN $memory_types })
WITH r, key, toLower(type(r)) AS attribute, o.key AS other
ORDER BY r.valid_from DESC, other, attribute, key
LIMIT toInteger($limit)
MATCH (f:Fact {id: r.fact_id})
RETURN startNode(r).key AS subject, type(r) AS type, endNode(r).key AS object,
  r.valid_from.epochSeconds * 1000000 + r.valid_from.microsecond AS valid_from,
  r.valid_to.epochSeconds * 1000000 + r.valid_to.microsecond AS valid_to,
  r.fact_id AS fact_id, f.episode_id AS episode_id
