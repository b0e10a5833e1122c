# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""The shell: all code that waits for the database or a model. Written by hand; `_sync` is generated from it.

In: the calls of callers. Out: the decisions of the pure packages, carried out. The packages below mirror theirs.
"""
