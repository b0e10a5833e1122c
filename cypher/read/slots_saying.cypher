// The slots of one attribute in which an entry, retracted or not, has a literal value at an instant.
// Parameters:
//   tenant: text
//   attribute: name
//   value: a literal
//   value_type: name of its type
//   at: DATETIME with offset Z
// Columns: slot, subject
MATCH (f:Fact)
USING INDEX SEEK f:Fact(tenant, attribute, valid_from)
WHERE f.tenant = $tenant AND f.attribute = $attribute AND f.valid_from <= $at
  AND f.has_value AND f.value_type = $value_type AND f.value = $value AND coalesce(f.until > $at, true)
RETURN DISTINCT f.slot AS slot, f.subject AS subject
