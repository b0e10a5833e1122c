// An index for the number of attributes that a tenant was the first to use (read/attribute_room). Every statement may be
// run again.
// Parameters: none
// Columns: none
CREATE INDEX attribute_first_tenant IF NOT EXISTS FOR (a:Attribute) ON (a.first_tenant);
