"""Evidence: which episodes a question finds.

In: a query, and the hits of the indexes. Out: ranked evidence with the words to quote. Here too: the passages that
long texts are cut into, and which generation of an index is in use.
"""
