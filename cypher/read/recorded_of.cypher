// When the entries of one subject were recorded, retracted and confirmed, and when those of an entity that was merged
// into it were retracted for them, as far as that is in an interval, in no order.
// Parameters:
//   tenant: text
//   subject: entity key
//   attributes: list of attribute names; null for all
//   since: DATETIME with offset Z
//   until: DATETIME with offset Z, exclusive; null for no bound
// Columns: what (recorded, retracted or confirmed), at (microseconds since 1970), id, episode (id of the one that
//   an entry gained)
MATCH (:Entity {tenant: $tenant, key: $subject})-[:HAS_SLOT]->(s:Slot)
WHERE $attributes IS NULL OR s.attribute IN $attributes
MATCH (f:Fact)
USING INDEX SEEK f:Fact(slot, valid_from, has_value)
WHERE f.slot = s.key AND f.valid_from IS NOT NULL AND f.has_value IS NOT NULL
UNWIND [['recorded', f.recorded_at, null, f.id], ['retracted', f.retracted_at, null, f.id]]
  + [(f)-[c:FROM_EPISODE]->(p:Episode) | ['confirmed', c.recorded_at, p.id, f.id]]
  + [(f)<-[:RETRACTED_BY]-(o:Fact) WHERE o.subject <> f.subject | ['retracted', o.retracted_at, null, o.id]] AS change
WITH f, change[0] AS what, change[1] AS at, change[2] AS episode, change[3] AS id
WHERE at >= $since AND at < coalesce($until, datetime('+10000-01-01T00:00Z')) AND (what <> 'confirmed' OR at > f.recorded_at)
RETURN DISTINCT what, at.epochSeconds * 1000000 + at.microsecond AS at, id, episode
