// The constraints and indexes of the ledger. Every statement may be run again.
// Parameters: none
// Columns: none
CREATE CONSTRAINT migration_id IF NOT EXISTS FOR (m:Migration) REQUIRE m.id IS UNIQUE;
CREATE CONSTRAINT attribute_name IF NOT EXISTS FOR (a:Attribute) REQUIRE a.name IS UNIQUE;
CREATE CONSTRAINT entity_key IF NOT EXISTS FOR (e:Entity) REQUIRE (e.tenant, e.key) IS UNIQUE;
CREATE CONSTRAINT episode_id IF NOT EXISTS FOR (e:Episode) REQUIRE (e.tenant, e.id) IS UNIQUE;
CREATE CONSTRAINT slot_key IF NOT EXISTS FOR (s:Slot) REQUIRE s.key IS UNIQUE;
CREATE CONSTRAINT fact_id IF NOT EXISTS FOR (f:Fact) REQUIRE f.id IS UNIQUE;
CREATE CONSTRAINT live_start IF NOT EXISTS FOR (f:Live) REQUIRE (f.slot, f.valid_from, f.has_value) IS UNIQUE;
CREATE CONSTRAINT open_slot IF NOT EXISTS FOR (f:Open) REQUIRE f.slot IS UNIQUE;
CREATE INDEX fact_start IF NOT EXISTS FOR (f:Fact) ON (f.slot, f.valid_from, f.has_value);
