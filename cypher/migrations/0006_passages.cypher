// The text index over passages, in place of the one over episodes: what it holds of them is made by the program, after
// these statements, of all episodes that have the mark of an older one (tenant_token). Every statement may be run again.
// Parameters: none
// Columns: none
CREATE INDEX episode_tenant_token IF NOT EXISTS FOR (e:Episode) ON (e.tenant_token);
CREATE INDEX episode_worded IF NOT EXISTS FOR (e:Episode) ON (e.worded);
CREATE FULLTEXT INDEX passage_text IF NOT EXISTS FOR (p:Passage) ON EACH [p.terms_a]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}};
MATCH (i:Index {kind: 'text'})
WHERE NOT i.name STARTS WITH 'passage_text'
SET i.generation = 1 + CASE WHEN i.begun > i.generation THEN i.begun ELSE i.generation END,
  i.name = 'passage_text', i.slot = 'a',
  i.language = CASE
    WHEN i.language IN ['arabic', 'armenian', 'basque', 'catalan', 'cjk', 'danish', 'dutch', 'english', 'finnish',
      'french', 'german', 'greek', 'hindi', 'hungarian', 'indonesian', 'irish', 'italian', 'lithuanian', 'norwegian',
      'portuguese', 'romanian', 'russian', 'spanish', 'standard-folding', 'swedish', 'turkish'] THEN i.language
    WHEN i.language = 'brazilian' THEN 'portuguese'
    WHEN i.language = 'stop' THEN 'english'
    ELSE 'standard' END
SET i.begun = i.generation
REMOVE i.building, i.building_name, i.building_language, i.building_embedder, i.building_dimension,
  i.building_slot, i.building_filtered;
