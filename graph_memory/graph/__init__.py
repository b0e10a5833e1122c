"""Paths and surroundings in the graph.

In: edges that hold at one instant. Out: the shortest paths, and the records of traversals.
"""
