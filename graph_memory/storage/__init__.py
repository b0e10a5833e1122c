"""The database: its address, the Cypher templates, and the records that describe it.

In: the arguments of `open`. Out: an address, templates by name, records of the server and its indexes.
"""
