// What reading needs beside the ledger: its changes in the order of recorded and of valid time, and the values of an
// attribute. Every statement may be run again.
// Parameters: none
// Columns: none
CREATE INDEX fact_recorded_at IF NOT EXISTS FOR (f:Fact) ON (f.tenant, f.recorded_at);
CREATE INDEX fact_retracted_at IF NOT EXISTS FOR (f:Fact) ON (f.tenant, f.retracted_at);
CREATE INDEX fact_valid_from IF NOT EXISTS FOR (f:Fact) ON (f.tenant, f.attribute, f.valid_from);
CREATE INDEX fact_until IF NOT EXISTS FOR (f:Fact) ON (f.tenant, f.attribute, f.until);
CREATE INDEX support_recorded_at IF NOT EXISTS FOR ()-[c:FROM_EPISODE]-() ON (c.tenant, c.recorded_at);
MATCH (f:Fact)-[c:FROM_EPISODE]->() WHERE c.tenant IS NULL
CALL (f, c) { SET c.tenant = f.tenant } IN TRANSACTIONS OF 10000 ROWS;
