# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""The shell of `schema`: the schemas and attributes that a database stores.

In: a declaration. Out: the cardinality of each attribute, and the stored schemas.
"""
