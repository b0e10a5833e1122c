// Rebuilds the edges, labels and marks of one subject.
// Parameters:
//   tenant: text
//   subject: entity key
//   slots: slots that the subject lacks, list of {key, attribute}
//   marks: slots whose marks are wrong, list of {key, last (the instant of the last write that its entries tell)}
//   unlabelled: ids of facts that lose :Live and :Open
//   closed: ids of facts that lose :Open
//   live: ids of facts that gain :Live
//   open: ids of facts that gain :Open
//   wrong: element ids of edges to delete
//   literals: edges to make, list of {id, type, valid_from, valid_to}
//   references: the same, with {object}
// Columns: none
CALL () {
  UNWIND $slots AS row
  MATCH (s:Entity {tenant: $tenant, key: $subject})
  MERGE (t:Slot {key: row.key})
    ON CREATE SET t.tenant = $tenant, t.attribute = row.attribute
  MERGE (s)-[h:HAS_SLOT]->(t)
    ON CREATE SET h.slot = row.key, h.clock = s.clock, h.moved = s.clock
}
CALL () {
  UNWIND $marks AS row
  MATCH (s:Entity {tenant: $tenant, key: $subject})-[h:HAS_SLOT]->(:Slot {key: row.key})
  WITH h, row, CASE WHEN s.clock >= row.last THEN s.clock ELSE coalesce(row.last, s.clock) END AS clock
  SET h.slot = row.key, h.clock = clock, h.moved = clock
}
CALL () {
  UNWIND $unlabelled AS id
  MATCH (f:Fact {id: id})
  REMOVE f:Live:Open
}
CALL () {
  UNWIND $closed AS id
  MATCH (f:Fact {id: id})
  REMOVE f:Open
}
CALL () {
  UNWIND $live AS id
  MATCH (f:Fact {id: id})
  SET f:Live
}
CALL () {
  UNWIND $open AS id
  MATCH (f:Fact {id: id})
  SET f:Open
}
CALL () {
  UNWIND $wrong AS id
  MATCH ()-[r]->()
  WHERE elementId(r) = id
  DELETE r
}
CALL () {
  UNWIND $literals AS row
  MATCH (s:Entity {tenant: $tenant, key: $subject})
  MATCH (f:Fact {id: row.id})
  CREATE (s)-[:$(row.type) {
    fact_id: row.id, tenant: $tenant, valid_from: row.valid_from, valid_to: row.valid_to}]->(f)
}
CALL () {
  UNWIND $references AS row
  MATCH (s:Entity {tenant: $tenant, key: $subject})
  MATCH (o:Entity {tenant: $tenant, key: row.object})
  CREATE (s)-[:$(row.type) {
    fact_id: row.id, tenant: $tenant, valid_from: row.valid_from, valid_to: row.valid_to}]->(o)
}
