"""The connection to the database.

In: templates and parameters. Out: rows, or a GraphMemoryError. `migrations` brings a database up to date.
"""
