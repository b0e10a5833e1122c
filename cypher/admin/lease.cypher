// Takes a lease that is free or has run out, or renews a lease of the same holder, by the database's clock.
// Parameters:
//   lease: name of the lease
//   holder: the process that asks for the lease
//   seconds: duration of the lease
// Columns: holder; no row where another process holds the lease
MERGE (l:Lease {name: $lease})
  ON CREATE SET l.lock = true
  ON MATCH SET l.lock = true
REMOVE l.lock
WITH l, datetime({datetime: datetime.realtime(), timezone: 'Z'}) AS now
WHERE coalesce(l.holder = $holder OR l.until <= now, true)
SET l.holder = $holder, l.until = now + duration({seconds: $seconds})
RETURN l.holder AS holder
