// The extraction of one episode.
// Parameters:
//   tenant: text
//   episode: id
// Columns: the columns of an extraction; instants in microseconds since 1970; no row where it was never queued
MATCH (x:Extraction {tenant: $tenant, episode: $episode})
RETURN x.episode AS episode, x.state AS state, x.about AS about, x.attempts AS attempts, x.worker AS worker,
  x.error AS error, x.changed_at.epochSeconds * 1000000 + x.changed_at.microsecond AS changed_at,
  x.due_at.epochSeconds * 1000000 + x.due_at.microsecond AS due_at, x.report AS report
