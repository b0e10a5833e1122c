// The constraint that makes each lease a single node, even when several processes ask for it. May be run again.
// Parameters: none
// Columns: none
CREATE CONSTRAINT lease_name IF NOT EXISTS FOR (l:Lease) REQUIRE l.name IS UNIQUE
