"""The shell of `schema`: what a database has recorded of it.

In: a declaration. Out: the cardinality of each attribute, and the stored schemas.
"""
