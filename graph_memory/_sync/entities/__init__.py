# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""The shell of `entities`: whom names mean, naming and merging.

In: names and keys. Out: entities, and merges carried out or undone.
"""
