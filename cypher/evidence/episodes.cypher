// The number of episodes of all tenants.
// Parameters: none
// Columns: episodes
MATCH (e:Episode)
RETURN count(e) AS episodes
