// Entities are found by their keys in the form in which names are compared, whatever case somebody writes them in.
// Every statement may be run again. Of keys from before, the lower case stands for that form.
// Parameters: none
// Columns: none
CREATE INDEX entity_folded IF NOT EXISTS FOR (e:Entity) ON (e.tenant, e.folded);
MATCH (e:Entity)
WHERE e.folded IS NULL
CALL (e) {
  SET e.folded = toLower(e.key)
} IN TRANSACTIONS OF 10000 ROWS;
