// What reading needs beside the ledger: its changes in the order of recorded and of valid time, and the values of an
// attribute; the turns of a session in order; which indexes searches use, and the passages of episodes that have
// vectors. Every statement may be run again.
// Parameters: none
// Columns: none
CREATE INDEX fact_recorded_at IF NOT EXISTS FOR (f:Fact) ON (f.tenant, f.recorded_at);
CREATE INDEX fact_retracted_at IF NOT EXISTS FOR (f:Fact) ON (f.tenant, f.retracted_at);
CREATE INDEX fact_valid_from IF NOT EXISTS FOR (f:Fact) ON (f.tenant, f.attribute, f.valid_from);
CREATE INDEX fact_until IF NOT EXISTS FOR (f:Fact) ON (f.tenant, f.attribute, f.until);
CREATE INDEX support_recorded_at IF NOT EXISTS FOR ()-[c:FROM_EPISODE]-() ON (c.tenant, c.recorded_at);
MATCH (f:Fact)-[c:FROM_EPISODE]->() WHERE c.tenant IS NULL
CALL (f, c) { SET c.tenant = f.tenant } IN TRANSACTIONS OF 10000 ROWS;
CREATE INDEX candidate_about IF NOT EXISTS FOR (c:Candidate) ON (c.tenant, c.status, c.subject, c.attribute);
CREATE CONSTRAINT session_name IF NOT EXISTS FOR (s:Session) REQUIRE (s.tenant, s.name) IS UNIQUE;
CREATE CONSTRAINT index_kind IF NOT EXISTS FOR (i:Index) REQUIRE i.kind IS UNIQUE;
CREATE CONSTRAINT passage_number IF NOT EXISTS FOR (p:Passage) REQUIRE (p.tenant, p.episode, p.number) IS UNIQUE;
CREATE INDEX episode_session IF NOT EXISTS FOR (e:Episode) ON (e.tenant, e.session, e.said_at, e.recorded_at);
CREATE INDEX episode_embedded IF NOT EXISTS FOR (e:Episode) ON (e.embedded);
CREATE INDEX passage_tenant IF NOT EXISTS FOR (p:Passage) ON (p.tenant);
MERGE (i:Index {kind: 'text'})
ON CREATE SET i.generation = 1, i.name = 'episode_text', i.slot = 'a', i.language = 'english';
MATCH (e:Episode)
WHERE e.embedded IS NULL
CALL (e) {
  SET e.said_at = coalesce(e.occurred_at, e.recorded_at), e.embedded = 0
} IN TRANSACTIONS OF 1000 ROWS;
CALL db.awaitIndexes(300);
MATCH (e:Episode)
WHERE e.session IS NOT NULL
WITH DISTINCT e.tenant AS tenant, e.session AS session
CALL (tenant, session) {
  MERGE (s:Session {tenant: tenant, name: session})
  SET s.locked = true
  REMOVE s.locked
  WITH s
  MATCH (e:Episode {tenant: tenant, session: session})
  WITH e
  ORDER BY e.said_at, e.recorded_at, e.id
  WITH collect(e) AS turns
  UNWIND range(1, size(turns) - 1) AS place
  WITH turns[place - 1] AS before, turns[place] AS after
  MERGE (before)-[:NEXT]->(after)
} IN TRANSACTIONS OF 100 ROWS;
