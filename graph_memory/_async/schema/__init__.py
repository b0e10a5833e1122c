"""The shell of `schema`: the schemas and attributes that a database stores.

In: a declaration. Out: the cardinality of each attribute, and the stored schemas.
"""
