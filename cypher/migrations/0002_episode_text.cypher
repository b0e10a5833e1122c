// The full-text index over episodes. The tenant's token is indexed beside the text, so that a search can
// require it inside the index.
// Parameters: none
// Columns: none
CREATE FULLTEXT INDEX episode_text IF NOT EXISTS FOR (e:Episode) ON EACH [e.text, e.tenant_token]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};
