# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""The shell of `graph`: edges read, walked and searched for paths.

In: a start, filters and an instant. Out: subgraphs and paths.
"""
