// Every ledger entry of a tenant, with its labels and links.
// Parameters:
//   tenant: text
// Columns: fact (its properties), labels, holder (entity of its slot), episodes, supersedes, retracted_by, objects
MATCH (e:Entity)
WHERE e.tenant = $tenant AND e.key >= ''
MATCH (e)-[:HAS_SLOT]->(s:Slot)
MATCH (f:Fact)
USING INDEX f:Fact(slot, valid_from, has_value)
WHERE f.slot = s.key AND f.valid_from IS NOT NULL AND f.has_value IS NOT NULL
RETURN properties(f) AS fact, labels(f) AS labels, e.key AS holder,
  [(f)-[c:FROM_EPISODE]->(p:Episode) | [p.tenant, p.id, c.recorded_at, c.source, p.source]] AS episodes,
  [(f)-[r:SUPERSEDES]->(o:Fact) | [o.id, r.kind]] AS supersedes,
  [(f)-[:RETRACTED_BY]->(b) | b.id] AS retracted_by,
  [(f)-[:OBJECT]->(o:Entity) | [o.tenant, o.key]] AS objects
