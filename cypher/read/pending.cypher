// The candidates about some attributes of some entities that wait for a person.
// Parameters:
//   tenant: text
//   subjects: list of entity keys
//   attributes: list of attribute names
// Columns: id, subject, attribute, episode (id), reason, recorded_at (in microseconds since 1970)
UNWIND $subjects AS subject
UNWIND $attributes AS attribute
MATCH (c:Candidate)
USING INDEX SEEK c:Candidate(tenant, status, subject, attribute)
WHERE c.tenant = $tenant AND c.status = 'pending' AND c.subject = subject AND c.attribute = attribute
RETURN c.id AS id, subject, attribute, c.episode_id AS episode, c.reason AS reason,
  c.recorded_at.epochSeconds * 1000000 + c.recorded_at.microsecond AS recorded_at
