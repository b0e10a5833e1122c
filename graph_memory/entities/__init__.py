"""Who is meant.

In: a text, and the names that a tenant has. Out: the entities that it may mean, who may have which name, and what
a merge of two entities does to the ledger.
"""
