# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""The shell of `questions` and `context`: what a question needs from the database and from a model.

In: a question. Out: a context.
"""
