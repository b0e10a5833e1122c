"""The queue of episodes that wait for extraction.

In: the queued episodes of all tenants. Out: the episodes that a worker claims, the delay of a retry, and progress.
"""
