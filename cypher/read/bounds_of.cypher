// The instants in an interval of valid time at which entries of one subject, retracted or not, start or end; in no
// order.
// Parameters:
//   tenant: text
//   subject: entity key
//   attributes: list of attribute names; null for all
//   since: DATETIME with offset Z
//   until: DATETIME with offset Z, exclusive; null for no bound
// Columns: at (microseconds since 1970), slot
MATCH (:Entity {tenant: $tenant, key: $subject})-[:HAS_SLOT]->(s:Slot)
WHERE $attributes IS NULL OR s.attribute IN $attributes
MATCH (f:Fact)
USING INDEX SEEK f:Fact(slot, valid_from, has_value)
WHERE f.slot = s.key AND f.valid_from < coalesce($until, datetime('+10000-01-01T00:00Z')) AND f.has_value IS NOT NULL
UNWIND [f.valid_from, f.until] AS at
WITH s.key AS slot, at
WHERE at >= $since AND at < coalesce($until, datetime('+10000-01-01T00:00Z'))
RETURN DISTINCT at.epochSeconds * 1000000 + at.microsecond AS at, slot
