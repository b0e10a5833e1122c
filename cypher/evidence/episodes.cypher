// How many episodes there are, of all tenants.
// Parameters: none
// Columns: episodes
MATCH (e:Episode)
RETURN count(e) AS episodes
