// The first query of the transaction that settles an episode: takes the write lock on its extraction, and on the
// signals concerned in the order of their keys, then reads them. Only one transaction settles an episode.
// Parameters:
//   tenant: text
//   episode: id of an episode that exists
//   signals: sorted list of keys
// Columns: state (of the extraction), report (JSON text or null), weak (list of [signal, candidate id, episode id,
//   quote, valid_from in microseconds since 1970, status]; including candidates that wait for a person)
MATCH (p:Episode {tenant: $tenant, id: $episode})
MERGE (x:Extraction {tenant: $tenant, episode: $episode})
  ON CREATE SET x.state = 'running', x.attempts = 0, x.lock = true
  ON MATCH SET x.lock = true
REMOVE x.lock
MERGE (x)-[:OF]->(p)
WITH x
CALL () {
  UNWIND $signals AS key
  MERGE (s:Signal {key: key})
    ON CREATE SET s.tenant = $tenant, s.lock = true
    ON MATCH SET s.lock = true
  REMOVE s.lock
  WITH s
  MATCH (s)<-[:OF]-(c:Candidate)
  WHERE c.status = 'weak' AND c.expires_at > datetime.realtime() OR c.status = 'pending'
  RETURN collect([s.key, c.id, c.episode_id, c.quote,
    c.valid_from.epochSeconds * 1000000 + c.valid_from.microsecond, c.status]) AS weak
}
RETURN x.state AS state, x.report AS report, weak
