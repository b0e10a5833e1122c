// All ledger entries and all edges of some small subjects, for the comparison of edges with entries. The entries are
// those of the subject's slots, and of the slots that its edges lead to.
// Parameters:
//   tenant: text
//   keys: list of entity keys
// Columns: key; clock (of the subject); now (of the database); slots (list of [key, and of the relationship that leads
//   there slot, clock, moved] for those it has); entries (list of [id, slot, attribute, has_value, value, value_type,
//   valid_from, until, recorded_at, retracted_at, live, open, how many episodes,
//   superseded ones (list of [tenant, recorded_at, valid_from, has_value]), object keys]);
//   edges (list of [element id, type, fact_id, tenant, valid_from, valid_to, [tenant, key] of an entity, id of a
//   fact]); instants in microseconds since 1970
UNWIND $keys AS key
MATCH (e:Entity {tenant: $tenant, key: key})
CALL (e) {
  MATCH (e)-[h:HAS_SLOT]->(s:Slot)
  RETURN collect(s.key) AS had, collect([s.key, h.slot, h.clock.epochSeconds * 1000000 + h.clock.microsecond,
    h.moved.epochSeconds * 1000000 + h.moved.microsecond]) AS slots
}
CALL (e) {
  MATCH (e)-[r]->()
  MATCH (f:Fact {id: r.fact_id})
  WHERE f.tenant = e.tenant AND f.subject = e.key
  RETURN collect(DISTINCT f.slot) AS met
}
CALL (e, had, met) {
  UNWIND had + [slot IN met WHERE NOT slot IN had] AS slot
  MATCH (f:Fact)
  USING INDEX SEEK f:Fact(slot, valid_from, has_value)
  WHERE f.slot = slot AND f.valid_from IS NOT NULL AND f.has_value IS NOT NULL
  RETURN collect([f.id, f.slot, f.attribute, f.has_value, f.value, f.value_type,
    f.valid_from.epochSeconds * 1000000 + f.valid_from.microsecond,
    f.until.epochSeconds * 1000000 + f.until.microsecond,
    f.recorded_at.epochSeconds * 1000000 + f.recorded_at.microsecond,
    f.retracted_at.epochSeconds * 1000000 + f.retracted_at.microsecond,
    f:Live, f:Open, size([(f)-[:FROM_EPISODE]->(p:Episode) WHERE p.tenant = e.tenant | 1]),
    [(f)-[:SUPERSEDES]->(o:Fact) | [o.tenant, o.recorded_at.epochSeconds * 1000000 + o.recorded_at.microsecond,
      o.valid_from.epochSeconds * 1000000 + o.valid_from.microsecond, o.has_value]],
    [(f)-[:OBJECT]->(o:Entity) WHERE o.tenant = e.tenant | o.key]]) AS entries
}
CALL (e) {
  MATCH (e)-[r]->(t)
  WHERE NOT r:HAS_SLOT
  RETURN collect([elementId(r), type(r), r.fact_id, r.tenant,
    r.valid_from.epochSeconds * 1000000 + r.valid_from.microsecond,
    r.valid_to.epochSeconds * 1000000 + r.valid_to.microsecond,
    CASE WHEN t:Entity THEN [t.tenant, t.key] END, CASE WHEN t:Fact THEN t.id END]) AS edges
}
WITH key, e.clock AS clock, datetime.realtime() AS now, slots, entries, edges
RETURN key, clock.epochSeconds * 1000000 + clock.microsecond AS clock,
  now.epochSeconds * 1000000 + now.microsecond AS now, slots, entries, edges
