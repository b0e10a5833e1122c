"""What was proposed and is no fact yet.

In: a statement with its evidence. Out: the candidate as it is stored, and as it is read.
"""
