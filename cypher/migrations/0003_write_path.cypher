// What the write path keeps beside the ledger: schemas, candidates and weak signals, extractions and their queue,
// names of entities, merges. Every statement may be run again.
// Parameters: none
// Columns: none
CREATE CONSTRAINT schema_version IF NOT EXISTS FOR (s:Schema) REQUIRE (s.name, s.version) IS UNIQUE;
CREATE CONSTRAINT candidate_id IF NOT EXISTS FOR (c:Candidate) REQUIRE c.id IS UNIQUE;
CREATE INDEX candidate_status IF NOT EXISTS FOR (c:Candidate) ON (c.tenant, c.status, c.recorded_at);
CREATE INDEX candidate_expiry IF NOT EXISTS FOR (c:Candidate) ON (c.status, c.expires_at);
CREATE CONSTRAINT signal_key IF NOT EXISTS FOR (s:Signal) REQUIRE s.key IS UNIQUE;
CREATE CONSTRAINT extraction_episode IF NOT EXISTS FOR (x:Extraction) REQUIRE (x.tenant, x.episode) IS UNIQUE;
CREATE INDEX extraction_state IF NOT EXISTS FOR (x:Extraction) ON (x.tenant, x.state, x.changed_at);
CREATE INDEX due_at IF NOT EXISTS FOR (x:Due) ON (x.due_at);
CREATE INDEX due_of_tenant IF NOT EXISTS FOR (x:Due) ON (x.tenant, x.due_at);
CREATE CONSTRAINT alias_name IF NOT EXISTS FOR (a:Alias) REQUIRE (a.tenant, a.name) IS UNIQUE;
CREATE CONSTRAINT merge_id IF NOT EXISTS FOR (m:Merge) REQUIRE m.id IS UNIQUE;
CREATE INDEX merge_recorded_at IF NOT EXISTS FOR (m:Merge) ON (m.tenant, m.recorded_at);
