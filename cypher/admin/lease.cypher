// Takes a lease that is free or over, or renews one's own. The database's clock counts.
// Parameters:
//   lease: its name
//   holder: who asks for it
//   seconds: for how long
// Columns: holder; no row where another has it
MERGE (l:Lease {name: $lease})
  ON CREATE SET l.lock = true
  ON MATCH SET l.lock = true
REMOVE l.lock
WITH l, datetime({datetime: datetime.realtime(), timezone: 'Z'}) AS now
WHERE coalesce(l.holder = $holder OR l.until <= now, true)
SET l.holder = $holder, l.until = now + duration({seconds: $seconds})
RETURN l.holder AS holder
