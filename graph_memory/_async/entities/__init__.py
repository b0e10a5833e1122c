"""The shell of `entities`: whom names mean, naming and merging.

In: names and keys. Out: entities, and merges carried out or undone.
"""
