"""The database as such: its address, the Cypher templates, and what is told about it.

In: what `open` is given. Out: an address, templates by name, records of the server and its indexes.
"""
