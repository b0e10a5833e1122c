// Stores candidates: proposals, and former facts, that wait for a decision or were refused.
// Parameters:
//   tenant: text
//   rows: list of the properties of a :Candidate, with episode (id of an existing episode), quote, start, end, named
//     (list of {key, name, normal}: the entities that it names first), signal (key or null) and lasts (milliseconds
//     until it expires, or null); an instant is [seconds since 1970, nanoseconds]
// Columns: none
WITH datetime({datetime: datetime.truncate('microsecond', datetime.realtime()), timezone: 'Z'}) AS now
UNWIND $rows AS row
MATCH (p:Episode {tenant: $tenant, id: row.episode})
CREATE (c:Candidate {
  id: row.id, tenant: $tenant, status: row.status, reason: row.reason, episode_id: p.id, source: p.source,
  subject: row.subject, attribute: row.attribute, change: row.change, value: row.value,
  value_type: row.value_type, quote: row.quote, start: row.start, end: row.end, proposal: row.proposal,
  valid_from: CASE WHEN row.valid_from IS NOT NULL
    THEN datetime({epochSeconds: row.valid_from[0], nanosecond: row.valid_from[1]}) END,
  until: CASE WHEN row.until IS NOT NULL THEN datetime({epochSeconds: row.until[0], nanosecond: row.until[1]}) END,
  schema_version: row.schema_version, confirmers: row.confirmers, recorded_at: now,
  named_keys: [n IN row.named | n.key], named: [n IN row.named | n.name], named_as: [n IN row.named | n.normal],
  expires_at: CASE WHEN row.lasts IS NOT NULL THEN now + duration({milliseconds: row.lasts}) END})
CREATE (c)-[:FROM_EPISODE {quote: row.quote, start: row.start, end: row.end}]->(p)
WITH c, row
MATCH (s:Signal {key: row.signal})
CREATE (c)-[:OF]->(s)
