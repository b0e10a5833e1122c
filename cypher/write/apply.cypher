// The second and last query of a write to the ledger: carries out the planner's decisions, all or nothing. A label is
// removed from its old node before the new node gets it, because the database checks uniqueness at each write.
// Parameters:
//   tenant: text
//   instant: DATETIME of this transaction; all other instants are [seconds since 1970, nanoseconds], because the
//     driver takes far longer to send a DATETIME
//   unused: keys of entities that the lock created and nothing needs
//   retracted: ids of stored facts that are no longer live
//   closed: ids of stored facts that lose :Open
//   slots: list of {key, attribute, subject} that do not exist yet
//   literals: new entries whose value is a literal, and ends: list of the properties of a :Fact, with live
//     (BOOLEAN), labels (of :Live and :Open), type (of the edge), episode, quote, start, end, edges (list of
//     {valid_from, valid_to})
//   references: the same for values that are entities, and for ends of such a value among many
//   kinds: list of {key, labels} of entities
//   literal_edges: stored facts whose edges change, list of {id, edges}; edges maps the valid_from of each, as text
//     in microseconds since 1970, to {valid_to, gone (BOOLEAN)}, so that a fact with many edges is expanded once
//   reference_edges: the same, with {subject, object}
//   literal_additions: new edges of stored facts, list of {id, type, subject, valid_from, valid_to}
//   reference_additions: the same, with {object}
//   opened: ids of stored facts that gain :Open
//   supersedes: list of {id, old, kind}
//   replaced: facts retracted for another fact, list of {id, by, reason}
//   withdrawn: facts retracted without another fact, list of {id, episode (id or null), reason}
//   confirmed: list of {id, episode, quote, start, end}
// Columns: none
CALL () {
  UNWIND $unused AS key
  MATCH (e:Entity {tenant: $tenant, key: key})
  DELETE e
}
CALL () {
  UNWIND $retracted AS id
  MATCH (f:Fact {id: id})
  REMOVE f:Live:Open
  SET f.retracted_at = $instant
}
CALL () {
  UNWIND $closed AS id
  MATCH (f:Fact {id: id})
  REMOVE f:Open
}
CALL () {
  UNWIND $slots AS row
  MATCH (s:Entity {tenant: $tenant, key: row.subject})
  CREATE (s)-[:HAS_SLOT {slot: row.key, clock: $instant, moved: $instant}]->(
    :Slot {key: row.key, tenant: $tenant, attribute: row.attribute})
}
CALL () {
  UNWIND $literals AS row
  MATCH (s:Entity {tenant: $tenant, key: row.subject})
  MATCH (p:Episode {tenant: $tenant, id: row.episode})
  CREATE (f:Fact:$all(row.labels) {
    id: row.id, tenant: $tenant, subject: row.subject, attribute: row.attribute, slot: row.slot,
    value: row.value, has_value: row.has_value, value_type: row.value_type,
    valid_from: datetime({epochSeconds: row.valid_from[0], nanosecond: row.valid_from[1]}),
    until: CASE WHEN row.until IS NOT NULL THEN datetime({epochSeconds: row.until[0], nanosecond: row.until[1]}) END,
    recorded_at: $instant, retracted_at: CASE WHEN NOT row.live THEN $instant END,
    episode_id: row.episode, source: p.source,
    schema_version: row.schema_version, memory_type: row.memory_type, retention: row.retention})
  CREATE (f)-[:FROM_EPISODE {
    tenant: $tenant, quote: row.quote, start: row.start, end: row.end, source: p.source, recorded_at: $instant}]->(p)
  FOREACH (edge IN row.edges | CREATE (s)-[:$(row.type) {
    fact_id: row.id, tenant: $tenant,
    valid_from: datetime({epochSeconds: edge.valid_from[0], nanosecond: edge.valid_from[1]}),
    valid_to: CASE WHEN edge.valid_to IS NOT NULL
      THEN datetime({epochSeconds: edge.valid_to[0], nanosecond: edge.valid_to[1]}) END}]->(f))
}
CALL () {
  UNWIND $references AS row
  MATCH (s:Entity {tenant: $tenant, key: row.subject})
  MATCH (o:Entity {tenant: $tenant, key: row.value})
  MATCH (p:Episode {tenant: $tenant, id: row.episode})
  CREATE (f:Fact:$all(row.labels) {
    id: row.id, tenant: $tenant, subject: row.subject, attribute: row.attribute, slot: row.slot,
    value: row.value, has_value: row.has_value, value_type: row.value_type,
    valid_from: datetime({epochSeconds: row.valid_from[0], nanosecond: row.valid_from[1]}),
    until: CASE WHEN row.until IS NOT NULL THEN datetime({epochSeconds: row.until[0], nanosecond: row.until[1]}) END,
    recorded_at: $instant, retracted_at: CASE WHEN NOT row.live THEN $instant END,
    episode_id: row.episode, source: p.source,
    schema_version: row.schema_version, memory_type: row.memory_type, retention: row.retention})
  CREATE (f)-[:FROM_EPISODE {
    tenant: $tenant, quote: row.quote, start: row.start, end: row.end, source: p.source, recorded_at: $instant}]->(p)
  CREATE (f)-[:OBJECT]->(o)
  FOREACH (edge IN row.edges | CREATE (s)-[:$(row.type) {
    fact_id: row.id, tenant: $tenant,
    valid_from: datetime({epochSeconds: edge.valid_from[0], nanosecond: edge.valid_from[1]}),
    valid_to: CASE WHEN edge.valid_to IS NOT NULL
      THEN datetime({epochSeconds: edge.valid_to[0], nanosecond: edge.valid_to[1]}) END}]->(o))
}
CALL () {
  UNWIND $kinds AS row
  MATCH (e:Entity {tenant: $tenant, key: row.key})
  SET e:$(row.labels)
}
CALL () {
  UNWIND $literal_edges AS row
  MATCH (f:Fact {id: row.id})<-[r]-(:Entity)
  WHERE r.fact_id = row.id
  WITH r, row.edges[toString(r.valid_from.epochSeconds * 1000000 + r.valid_from.microsecond)] AS edge
  WHERE edge IS NOT NULL
  FOREACH (_ IN CASE WHEN edge.gone THEN [1] ELSE [] END | DELETE r)
  FOREACH (_ IN CASE WHEN edge.gone THEN [] ELSE [1] END | SET r.valid_to =
    CASE WHEN edge.valid_to IS NOT NULL
      THEN datetime({epochSeconds: edge.valid_to[0], nanosecond: edge.valid_to[1]}) END)
}
CALL () {
  UNWIND $reference_edges AS row
  MATCH (s:Entity {tenant: $tenant, key: row.subject})
  MATCH (o:Entity {tenant: $tenant, key: row.object})
  MATCH (s)-[r]->(o)
  WHERE r.fact_id = row.id
  WITH r, row.edges[toString(r.valid_from.epochSeconds * 1000000 + r.valid_from.microsecond)] AS edge
  WHERE edge IS NOT NULL
  FOREACH (_ IN CASE WHEN edge.gone THEN [1] ELSE [] END | DELETE r)
  FOREACH (_ IN CASE WHEN edge.gone THEN [] ELSE [1] END | SET r.valid_to =
    CASE WHEN edge.valid_to IS NOT NULL
      THEN datetime({epochSeconds: edge.valid_to[0], nanosecond: edge.valid_to[1]}) END)
}
CALL () {
  UNWIND $literal_additions AS row
  MATCH (s:Entity {tenant: $tenant, key: row.subject})
  MATCH (f:Fact {id: row.id})
  CREATE (s)-[:$(row.type) {
    fact_id: row.id, tenant: $tenant,
    valid_from: datetime({epochSeconds: row.valid_from[0], nanosecond: row.valid_from[1]}),
    valid_to: CASE WHEN row.valid_to IS NOT NULL
      THEN datetime({epochSeconds: row.valid_to[0], nanosecond: row.valid_to[1]}) END}]->(f)
}
CALL () {
  UNWIND $reference_additions AS row
  MATCH (s:Entity {tenant: $tenant, key: row.subject})
  MATCH (o:Entity {tenant: $tenant, key: row.object})
  CREATE (s)-[:$(row.type) {
    fact_id: row.id, tenant: $tenant,
    valid_from: datetime({epochSeconds: row.valid_from[0], nanosecond: row.valid_from[1]}),
    valid_to: CASE WHEN row.valid_to IS NOT NULL
      THEN datetime({epochSeconds: row.valid_to[0], nanosecond: row.valid_to[1]}) END}]->(o)
}
CALL () {
  UNWIND $opened AS id
  MATCH (f:Fact {id: id})
  SET f:Open
}
CALL () {
  UNWIND $supersedes AS row
  MATCH (f:Fact {id: row.id})
  MATCH (o:Fact {id: row.old})
  CREATE (f)-[:SUPERSEDES {kind: row.kind}]->(o)
}
CALL () {
  UNWIND $replaced AS row
  MATCH (f:Fact {id: row.id})
  MATCH (b:Fact {id: row.by})
  CREATE (f)-[:RETRACTED_BY {reason: row.reason}]->(b)
}
CALL () {
  UNWIND $withdrawn AS row
  MATCH (f:Fact {id: row.id})
  OPTIONAL MATCH (p:Episode {tenant: $tenant, id: row.episode})
  FOREACH (_ IN CASE WHEN p IS NULL THEN [1] ELSE [] END | SET f.retraction_reason = row.reason)
  FOREACH (_ IN CASE WHEN p IS NULL THEN [] ELSE [1] END | CREATE (f)-[:RETRACTED_BY {reason: row.reason}]->(p))
}
CALL () {
  UNWIND $confirmed AS row
  MATCH (f:Fact {id: row.id})
  MATCH (p:Episode {tenant: $tenant, id: row.episode})
  CREATE (f)-[:FROM_EPISODE {
    tenant: $tenant, quote: row.quote, start: row.start, end: row.end, source: p.source, recorded_at: $instant}]->(p)
}
