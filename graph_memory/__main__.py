"""`python -m graph_memory` is `graph-memory`."""

from graph_memory.cli import main

main()
