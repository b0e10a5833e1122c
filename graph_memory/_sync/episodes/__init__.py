# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""The shell of `episodes`: storing and reading what was said.

In: checked episodes. Out: the stored ones, each queued or embedded where that was asked for.
"""
