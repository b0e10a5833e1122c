"""Walks through the graph.

In: edges that hold at an instant. Out: the shortest paths, and the records of walks.
"""
