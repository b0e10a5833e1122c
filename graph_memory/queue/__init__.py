"""What waits to be extracted.

In: the queued episodes of all tenants. Out: which of them a worker claims, when it tries again, and how far it is.
"""
