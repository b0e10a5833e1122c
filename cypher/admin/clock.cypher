// The name of the database, and its clock.
// Parameters: none
// Columns: name, now (microseconds since 1970)
CALL db.info() YIELD name
WITH name, datetime.realtime() AS now
RETURN name, now.epochSeconds * 1000000 + now.microsecond AS now
