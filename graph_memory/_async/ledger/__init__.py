"""The shell of `ledger`: transactions on the ledger, and reads of it.

In: commands, and keys to read. Out: the result of each command; facts, changes, and problems that `verify` finds.
"""
