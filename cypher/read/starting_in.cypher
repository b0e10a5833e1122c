// The instants in an interval of valid time at which entries of a tenant, retracted or not, start: for each attribute,
// in the order of time.
// Parameters:
//   tenant: text
//   attributes: list of attribute names
//   since: DATETIME with offset Z
//   until: DATETIME with offset Z, exclusive; null for no bound
//   limit: the most rows of each attribute
// Columns: attribute, at (microseconds since 1970), slot
UNWIND $attributes AS attribute
CALL (attribute) {
  MATCH (f:Fact)
  USING INDEX SEEK f:Fact(tenant, attribute, valid_from)
  WHERE f.tenant = $tenant AND f.attribute = attribute AND f.valid_from >= $since AND f.valid_from < coalesce($until, datetime('+10000-01-01T00:00Z'))
  RETURN f
  ORDER BY f.tenant, f.attribute, f.valid_from
  LIMIT toInteger($limit)
}
RETURN attribute, f.valid_from.epochSeconds * 1000000 + f.valid_from.microsecond AS at, f.slot AS slot
