"""The methods of a tenant, one module for each part.

In: the calls of the public API. Out: records. `base` has the code that all parts share; `tenant` joins the parts.
"""
