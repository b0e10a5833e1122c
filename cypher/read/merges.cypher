// The merges of a tenant, undone ones included, in the order of recorded time.
// Parameters:
//   tenant: text
// Columns: the columns of a merge; instants in microseconds since 1970
MATCH (m:Merge)
USING INDEX SEEK m:Merge(tenant, recorded_at)
WHERE m.tenant = $tenant AND m.recorded_at IS NOT NULL
WITH m
ORDER BY m.tenant, m.recorded_at
RETURN m.id AS id, m.kept AS kept, m.merged AS merged, m.episode_id AS episode_id,
  m.recorded_at.epochSeconds * 1000000 + m.recorded_at.microsecond AS recorded_at, m.moved AS moved,
  m.aliases AS aliases, m.kinds AS kinds, m.conflicts AS conflicts,
  m.undone_at.epochSeconds * 1000000 + m.undone_at.microsecond AS undone_at, m.undone_by AS undone_by,
  m.stayed AS stayed
