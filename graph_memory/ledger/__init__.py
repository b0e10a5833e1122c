"""The rule of valid time, and the decisions of a write to the ledger.

In: statements, and the part of the ledger that was locked and read. Out: the changes to write, and a result for
each statement. `timeline` holds the rule, `planner` keeps slots true to it, and `conflict_policy` decides between
entries that start at the same instant.
"""
