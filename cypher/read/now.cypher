// The database's clock.
// Parameters: none
// Columns: now, in microseconds since 1970
WITH datetime.realtime() AS now
RETURN now.epochSeconds * 1000000 + now.microsecond AS now
