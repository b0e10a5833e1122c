"""What a tenant's user can do, one module a part of it.

In: the calls of the public API. Out: records. `base` has what all parts share, `tenant` puts them together.
"""
