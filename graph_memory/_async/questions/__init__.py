"""The shell of `questions` and `context`: what a question needs from the database and from a model.

In: a question. Out: a context.
"""
