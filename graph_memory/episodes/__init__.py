"""Episodes: the raw texts that facts come from.

In: an episode as a caller gives it. Out: its checked form, and the position of a quote in its text.
"""
