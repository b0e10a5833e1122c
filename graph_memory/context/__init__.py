"""The read path, second half: what answers, in how few lines.

In: the facts and the evidence that were read. Out: the smallest context that cites its sources.
"""
