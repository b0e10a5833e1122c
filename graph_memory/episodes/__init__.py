"""What was said: the raw text behind facts.

In: an episode as a caller gives it. Out: its checked form, and where a quote stands in its text.
"""
