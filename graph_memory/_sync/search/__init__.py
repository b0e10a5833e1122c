# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""The shell of `search`: the indexes and what they find.

In: a search. Out: evidence. `vectors` makes and looks for vectors, `indexes` rebuilds them while searches go on.
"""
