// When the earliest began of the writes that are under way. A write takes its instant after it began.
// Parameters:
//   database: name
//   application: by which the library marks its writes
// Columns: earliest (microseconds since 1970, to the millisecond; null where there is none)
SHOW TRANSACTIONS YIELD database, startTime, metaData
WHERE database = $database AND metaData.application = $application
RETURN min(datetime(startTime).epochMillis) * 1000 AS earliest
