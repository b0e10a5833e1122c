"""Files of rows, taken in as they are read.

In: CSV or JSON Lines. Out: episodes and facts, and a report of what became of each row.
"""
