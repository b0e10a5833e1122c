"""What may be remembered.

In: kinds and attributes as Pydantic classes. Out: a `Schema`, the terms of each attribute, and how a declaration
compares with the one that a database has.
"""
