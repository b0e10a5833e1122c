"""The shell of `graph`: reads edges, traverses them, and searches paths.

In: a start, filters and an instant. Out: subgraphs and paths.
"""
