"""The terms that all other packages use: values, instants, names, slots, and the records that the library returns.

In: values that a caller passes. Out: the same values, checked and in one form. Nothing here knows a database, a
clock or a model.
"""
