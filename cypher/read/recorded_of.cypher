// The instants in an interval of recorded time at which entries of one subject were recorded, retracted or confirmed;
// in no order.
// Parameters:
//   tenant: text
//   subject: entity key
//   attributes: list of attribute names; null for all
//   since: DATETIME with offset Z
//   until: DATETIME with offset Z, exclusive; null for no bound
// Columns: what (recorded, retracted or confirmed), at (microseconds since 1970), id, episode (id of the episode
//   that an entry gained)
MATCH (:Entity {tenant: $tenant, key: $subject})-[:HAS_SLOT]->(s:Slot)
WHERE $attributes IS NULL OR s.attribute IN $attributes
MATCH (f:Fact)
USING INDEX SEEK f:Fact(slot, valid_from, has_value)
WHERE f.slot = s.key AND f.valid_from IS NOT NULL AND f.has_value IS NOT NULL
UNWIND [['recorded', f.recorded_at, null], ['retracted', f.retracted_at, null]]
  + [(f)-[c:FROM_EPISODE]->(p:Episode) | ['confirmed', c.recorded_at, p.id]] AS change
WITH f, change[0] AS what, change[1] AS at, change[2] AS episode
WHERE at >= $since AND at < coalesce($until, datetime('+10000-01-01T00:00Z')) AND (what <> 'confirmed' OR at > f.recorded_at)
RETURN what, at.epochSeconds * 1000000 + at.microsecond AS at, f.id AS id, episode
