"""The question: which subjects, attributes and time it asks for.

In: the words of a question, or a model's reading of them. Out: subjects, attributes, time and intent.
English only.
"""
