"""The commands, one module a group of them.

In: options and arguments. Out: calls of the public API, and what they answer, shown.
"""
