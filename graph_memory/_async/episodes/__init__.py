"""The shell of `episodes`: stores and reads them.

In: checked episodes. Out: the stored episodes, queued for extraction and given vectors where requested.
"""
