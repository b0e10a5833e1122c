# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""The shell of `queue`: jobs in the database, and the leases of workers on them.

In: queued episodes. Out: claims, and their results.
"""
