"""The rule of time, and what a write does to the ledger.

In: statements, and the part of the ledger that was locked and read. Out: what has to be written, and what became
of each statement. `timeline` is the rule, `planner` keeps slots true to it, and `conflict_policy` decides equal
starts.
"""
