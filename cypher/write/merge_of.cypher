// A merge by its id, or by the merged entity, where the merge was not undone.
// Parameters:
//   tenant: text
//   id: id of the merge; null where merged is given
//   merged: key of the merged entity; null where the id is given
// Columns: merged_aliases (aliases of the merged entity), then the columns of a merge; instants in microseconds since
//   1970
CALL () {
  MATCH (m:Merge {id: $id})
  RETURN m
  UNION
  MATCH (:Entity {tenant: $tenant, key: $merged})<-[:MERGED]-(m:Merge)
  WHERE m.undone_at IS NULL
  RETURN m
}
WITH m
WHERE m.tenant = $tenant
RETURN m.merged_aliases AS merged_aliases, m.id AS id, m.kept AS kept, m.merged AS merged,
  m.episode_id AS episode_id, m.recorded_at.epochSeconds * 1000000 + m.recorded_at.microsecond AS recorded_at,
  m.moved AS moved, m.aliases AS aliases, m.kinds AS kinds, m.conflicts AS conflicts,
  m.undone_at.epochSeconds * 1000000 + m.undone_at.microsecond AS undone_at, m.undone_by AS undone_by,
  m.stayed AS stayed
