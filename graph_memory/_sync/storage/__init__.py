# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""The connection to the database.

In: templates and parameters. Out: rows, or a GraphMemoryError. `migrations` brings a database up to date.
"""
