// Stores the vectors of episodes of one tenant, if their generation is still in use or being built. This is checked
// again under the lock on each episode, because a rebuild that has begun meanwhile may use the same property.
// Parameters:
//   tenant: text
//   generation: number
//   property: embedding_a or embedding_b
//   rows: list of {episode (id), passages: list of {number, start, end, embedding}}
// Columns: wanted (BOOLEAN: whether the generation is in use or being built), written (how many episodes)
MATCH (i:Index {kind: 'vector'})
WITH coalesce($generation IN [i.generation, i.building], false) AS wanted
CALL (wanted) {
  UNWIND CASE WHEN wanted THEN $rows ELSE [] END AS row
  MATCH (e:Episode {tenant: $tenant, id: row.episode})
  SET e.locked = true
  REMOVE e.locked
  WITH e, row
  MATCH (i:Index {kind: 'vector'})
  WHERE $generation IN [i.generation, i.building]
  CALL (e, row) {
    UNWIND row.passages AS part
    MERGE (p:Passage {tenant: e.tenant, episode: e.id, number: part.number})
    SET p.start = part.start, p.end = part.end
    MERGE (p)-[:PART_OF]->(e)
    WITH p, part
    CALL db.create.setNodeVectorProperty(p, $property, part.embedding)
    RETURN count(*) AS parts
  }
  SET e.embedded = CASE WHEN e.embedded > $generation THEN e.embedded ELSE $generation END
  RETURN count(e) AS written
}
RETURN wanted, written
