"""Models of others: chat models and embeddings.

In: a LangChain model, or none. Out: its answer in the shape that was asked for, or what its failure means.
"""
