"""The story that `graph-memory demo` plays.

In: a tenant of its own. Out: each chapter with the call behind it and its answer.
"""
