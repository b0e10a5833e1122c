# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""The shell of `episodes`: stores and reads them.

In: checked episodes. Out: the stored episodes, queued for extraction and given vectors where requested.
"""
