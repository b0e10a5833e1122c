# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""The shell of `ledger`: transactions on the ledger, and reads of it.

In: commands, and keys to read. Out: the result of each command; facts, changes, and problems that `verify` finds.
"""
