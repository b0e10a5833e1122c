"""What every room speaks of: values, instants, keys and names, slots, and the records that the library hands out.

In: what a caller gives. Out: the checked form of it. Nothing here knows of a database, a clock or a model.
"""
