"""Everything that waits: for the database, for a model. Written by hand; `_sync` is generated from it.

In: what callers ask for. Out: what the pure packages decided, carried out. The packages below mirror theirs.
"""
