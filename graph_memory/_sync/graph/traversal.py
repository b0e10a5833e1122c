# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""Breadth-first traversal of the facts between entities, as of one instant."""

from __future__ import annotations

from graph_memory._sync.graph.edges import EdgeId, Edges, edge_id, edge_order
from graph_memory.domain.records import Direction, Edge, Subgraph


def walk(edges: Edges, start: str, depth: int, direction: Direction, limit: int) -> Subgraph:
    """Return the entities and edges within `depth` steps of `start`, with at most `limit` edges.

    Where a step finds more edges than the limit leaves room for, it takes those with the latest starts and is the
    last step.
    """
    depths = {start: 0}
    taken: dict[EdgeId, Edge] = {}
    frontier, truncated = [start], False
    for step in range(1, depth + 1):
        room = limit - len(taken)
        around = edges.around(frontier, direction, limit + 1)
        met = [edge for edge in around if edge_id(edge) not in taken]
        truncated = len(met) > room
        reached: dict[str, None] = {}
        for edge in sorted(met[:room], key=edge_order):
            taken[edge_id(edge)] = edge
            for key in (edge.subject, edge.object):
                if depths.setdefault(key, step) == step:
                    reached[key] = None
        frontier = list(reached)
        if truncated or not frontier:
            break
    nodes = edges.nodes(depths, required=[start])
    return Subgraph(
        nodes=tuple(sorted(nodes.values(), key=lambda node: (node.depth, node.key))),
        edges=tuple(taken.values()),
        truncated=truncated,
    )
