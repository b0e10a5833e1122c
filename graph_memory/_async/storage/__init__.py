"""The connection to the database.

In: templates and parameters. Out: rows, or an error of ours. `migrations` brings a database up to date.
"""
