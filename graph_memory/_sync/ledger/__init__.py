# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""The shell of `ledger`: transactions on it, and reads of it.

In: commands, and keys to read. Out: what became of each command, facts, changes, and what `verify` finds.
"""
