"""The write path: from a text to candidates to facts.

In: an episode, and what a model proposes for it. Out: what is committed, what waits for review,
and what is refused, each with its reason.
"""
