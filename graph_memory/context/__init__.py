"""The answer to a question: `selection` picks the facts of a timeline, `rendering` the lines that fit a budget.

In: the facts and the evidence that were read. Out: the smallest context that cites its sources.
"""
