// The attribute after another, in order, of which a tenant has an entry.
// Parameters:
//   tenant: text
//   after: attribute name, or empty text
// Columns: attribute; no row where there is none
MATCH (f:Fact)
USING INDEX SEEK f:Fact(tenant, attribute, valid_from)
WHERE f.tenant = $tenant AND f.attribute > $after AND f.valid_from IS NOT NULL
RETURN f.attribute AS attribute
ORDER BY f.tenant, f.attribute
LIMIT 1
