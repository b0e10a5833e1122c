// The first query of the transaction that decides a candidate: takes the write lock on the candidate's signal, where
// it has one, and on the candidate, then reads the candidates that say the same.
// Parameters:
//   tenant: text
//   id: candidate id
// Columns: similar (list of [signal, candidate id, episode id, quote, valid_from in microseconds since 1970, status]);
//   no row where there is no such candidate
MATCH (c:Candidate {id: $id})
WHERE c.tenant = $tenant
OPTIONAL MATCH (c)-[:OF]->(s:Signal)
SET s.lock = true
REMOVE s.lock
SET c.lock = true
REMOVE c.lock
WITH c, s
CALL (c, s) {
  MATCH (s)<-[:OF]-(w:Candidate)
  WHERE w.id <> c.id AND (w.status = 'weak' AND w.expires_at > datetime.realtime() OR w.status = 'pending')
  RETURN collect([s.key, w.id, w.episode_id, w.quote,
    w.valid_from.epochSeconds * 1000000 + w.valid_from.microsecond, w.status]) AS similar
}
RETURN similar
