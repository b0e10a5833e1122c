"""Candidates: proposed statements that are not facts yet.

In: a statement with its evidence. Out: the stored form of the candidate, and its record.
"""
