"""Chat models and embeddings of external providers.

In: a LangChain model, or none. Out: the model's answer in the requested shape, or the meaning of its failure.
"""
