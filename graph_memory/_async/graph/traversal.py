"""Breadth-first traversal of the facts between entities, as of one instant."""

from __future__ import annotations

from graph_memory._async.graph.edges import AsyncEdges, EdgeId, edge_id, edge_order
from graph_memory.domain.records import Direction, Edge, Subgraph
from graph_memory.graph.walks import Kinds, leading_to


async def walk(
    edges: AsyncEdges, start: str, depth: int, direction: Direction, limit: int, kinds: Kinds | None = None
) -> Subgraph:
    """Return the entities and edges of the walks of at most `depth` steps from `start`; at most `limit` edges.

    `kinds` says which entities a walk passes and where it ends; None: all. The start is always returned.

    Where a step finds more edges than the limit leaves room for, it takes those with the latest starts and is the
    last step.
    """
    kinds = kinds or Kinds()
    depths = {start: 0}
    taken: dict[EdgeId, Edge] = {}
    frontier, truncated = [start], False
    for step in range(1, depth + 1):
        room = limit - len(taken)
        reaching = edges.reaching(kinds.reached(last=step == depth))
        around = await reaching.around(frontier, direction, limit + 1)
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
        if kinds.through is not None and not kinds.pass_all and step < depth:
            passed = await edges.reaching(sorted(kinds.through)).of_kinds(frontier)
            frontier = [key for key in frontier if key in passed]
    nodes = await edges.nodes(depths, required=[start])
    kept = set(depths)
    if kinds.to is not None:
        ends = [key for key, node in nodes.items() if not kinds.to.isdisjoint(node.kinds)]
        kept = {start} | leading_to(ends, depths, taken.values(), direction)
    return Subgraph(
        nodes=tuple(
            sorted((node for node in nodes.values() if node.key in kept), key=lambda node: (node.depth, node.key))
        ),
        edges=tuple(edge for edge in taken.values() if edge.subject in kept and edge.object in kept),
        truncated=truncated,
    )
