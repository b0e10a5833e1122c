"""The read path, first half: from a question to what is to be read.

In: the words of a question, or a model's reading of them. Out: subjects, attributes, time and intent.
English only.
"""
