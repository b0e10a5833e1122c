"""The shell of `graph`: edges read, walked and searched for paths.

In: a start, filters and an instant. Out: subgraphs and paths.
"""
