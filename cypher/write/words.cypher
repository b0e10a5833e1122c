// Puts episodes of one tenant into a text index that is being built, or that lacks them.
// Parameters:
//   tenant: text
//   generation: of the index
//   property: terms_a or terms_b
//   rows: list of {episode (id), passages: list of {number, start, end, terms}}
// Columns: wanted (BOOLEAN: whether the generation is in use or being built), written (how many episodes)
MATCH (i:Index {kind: 'text'})
WITH coalesce($generation IN [i.generation, i.building], false) AS wanted
CALL (wanted) {
  UNWIND CASE WHEN wanted THEN $rows ELSE [] END AS row
  MATCH (e:Episode {tenant: $tenant, id: row.episode})
  SET e.locked = true
  REMOVE e.locked
  WITH e, row
  MATCH (i:Index {kind: 'text'})
  WHERE $generation IN [i.generation, i.building]
  CALL (e, row) {
    UNWIND row.passages AS part
    MERGE (p:Passage {tenant: e.tenant, episode: e.id, number: part.number})
    SET p.start = part.start, p.end = part.end, p[$property] = part.terms
    MERGE (p)-[:PART_OF]->(e)
    RETURN count(*) AS parts
  }
  SET e.worded = CASE WHEN e.worded > $generation THEN e.worded ELSE $generation END
  RETURN count(e) AS written
}
RETURN wanted, written
