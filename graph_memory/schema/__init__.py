"""Schemas: the declaration of the kinds and attributes that an application remembers.

In: kinds and attributes as Pydantic classes. Out: a `Schema`, the terms of each attribute, and the comparison of a
declaration with the stored one.
"""
