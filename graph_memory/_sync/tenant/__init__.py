# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""What a tenant's user can do, one module a part of it.

In: the calls of the public API. Out: records. `base` has what all parts share, `tenant` puts them together.
"""
