// Some slots of a subject that is too large to be read at once, with their ledger entries and the edges of these.
// Without slots: the edges of the subject that belong to no entry of its slots.
// Parameters:
//   tenant: text
//   key: entity key
//   slots: list of slot keys
// Columns: as of ledger; clock is null where slots are given
MATCH (e:Entity {tenant: $tenant, key: $key})
CALL (e) {
  UNWIND $slots AS slot
  MATCH (s:Slot {key: slot})<-[h:HAS_SLOT]-(e)
  RETURN collect([slot, h.slot, h.clock.epochSeconds * 1000000 + h.clock.microsecond,
    h.moved.epochSeconds * 1000000 + h.moved.microsecond]) AS slots
}
CALL (e) {
  UNWIND $slots AS slot
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
CALL (e, entries) {
  WITH e, [entry IN entries | entry[0]] AS ids
  WHERE $slots <> []
  MATCH (e)-[r]->(t)
  WHERE NOT r:HAS_SLOT AND r.fact_id IN ids
  RETURN collect([elementId(r), type(r), r.fact_id, r.tenant,
    r.valid_from.epochSeconds * 1000000 + r.valid_from.microsecond,
    r.valid_to.epochSeconds * 1000000 + r.valid_to.microsecond,
    CASE WHEN t:Entity THEN [t.tenant, t.key] END, CASE WHEN t:Fact THEN t.id END]) AS own
}
CALL (e) {
  WITH e
  WHERE $slots = []
  MATCH (e)-[r]->(t)
  WHERE NOT r:HAS_SLOT AND NOT EXISTS {
    MATCH (f:Fact {id: r.fact_id})
    WHERE f.tenant = e.tenant AND f.subject = e.key OR EXISTS { (e)-[:HAS_SLOT]->(:Slot {key: f.slot}) }
  }
  RETURN collect([elementId(r), type(r), r.fact_id, r.tenant,
    r.valid_from.epochSeconds * 1000000 + r.valid_from.microsecond,
    r.valid_to.epochSeconds * 1000000 + r.valid_to.microsecond,
    CASE WHEN t:Entity THEN [t.tenant, t.key] END, CASE WHEN t:Fact THEN t.id END]) AS strays
}
WITH CASE WHEN $slots = [] THEN e.clock END AS clock, datetime.realtime() AS now, slots, entries, own, strays
RETURN $key AS key, clock.epochSeconds * 1000000 + clock.microsecond AS clock,
  now.epochSeconds * 1000000 + now.microsecond AS now, slots, entries, own + strays AS edges
