"""The shell of `queue`: jobs in the database, and the leases of workers on them.

In: queued episodes. Out: claims, and their results.
"""
