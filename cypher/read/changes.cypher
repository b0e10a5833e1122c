// For each of some entries: the facts that it replaced and that replaced it, and the reason for its retraction.
// Parameters:
//   ids: list of fact ids
// Columns: id, subject, attribute, has_value, recorded (BOOLEAN: its recording is a change of its own: it was live
//   then, and no fact was retracted for it), superseded (fact id), superseded_as, successor (id of the fact that it
//   was retracted for), retraction_episode (episode id), reason, outranked (BOOLEAN: it was never live)
UNWIND $ids AS id
MATCH (f:Fact {id: id})
OPTIONAL MATCH (f)-[s:SUPERSEDES]->(o:Fact)
OPTIONAL MATCH (f)-[r:RETRACTED_BY]->(b)
RETURN id, f.subject AS subject, f.attribute AS attribute, f.has_value AS has_value,
  coalesce(f.retracted_at > f.recorded_at, true) AND NOT EXISTS {
    MATCH (f)<-[:RETRACTED_BY]-(w:Fact)
    WHERE w.retracted_at = f.recorded_at AND w.recorded_at < f.recorded_at
  } AS recorded,
  o.id AS superseded, s.kind AS superseded_as, CASE WHEN b:Fact THEN b.id END AS successor,
  CASE
    WHEN b:Episode THEN b.id
    WHEN b.recorded_at = f.retracted_at THEN b.episode_id
    ELSE head([c IN [(b)-[c:FROM_EPISODE]->(p:Episode) | [c.recorded_at, p.id]] WHERE c[0] = f.retracted_at | c[1]])
  END AS retraction_episode,
  coalesce(r.reason, f.retraction_reason) AS reason, coalesce(f.retracted_at = f.recorded_at, false) AS outranked
