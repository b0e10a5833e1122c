# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""The shell of `graph`: reads edges, traverses them, and searches paths.

In: a start, filters and an instant. Out: subgraphs and paths.
"""
