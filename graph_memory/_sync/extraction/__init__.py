# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""The shell of `extraction`: the model's call, and the way from an episode to its facts.

In: an episode. Out: a report of what became of each candidate.
"""
