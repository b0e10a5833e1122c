// The slots of some subjects, including those whose entries are all retracted.
// Parameters:
//   tenant: text
//   subjects: list of entity keys
//   attributes: list of attribute names; null for all
// Columns: slot, attribute
UNWIND $subjects AS subject
MATCH (:Entity {tenant: $tenant, key: subject})-[:HAS_SLOT]->(s:Slot)
WHERE $attributes IS NULL OR s.attribute IN $attributes
RETURN s.key AS slot, s.attribute AS attribute
