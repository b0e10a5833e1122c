# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""The methods of a tenant, one module for each part.

In: the calls of the public API. Out: records. `base` has the code that all parts share; `tenant` joins the parts.
"""
