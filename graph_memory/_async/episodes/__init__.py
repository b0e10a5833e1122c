"""The shell of `episodes`: storing and reading what was said.

In: checked episodes. Out: the stored ones, each queued or embedded where that was asked for.
"""
