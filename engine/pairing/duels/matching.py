"""The cheapest way to put everybody into pairs."""

from collections.abc import Mapping
from typing import Final, TypeAlias

import rustworkx

Edge: TypeAlias = tuple[int, int]
"""Two players who may be paired, the lower number first."""

BITS: Final = 122
"""Costs have at most this many bits: rustworkx counts in 128, and doubles them."""


def cheapest(costs: Mapping[Edge, int]) -> list[Edge]:
    """Return the pairs of least total cost among those that pair the most players, in ascending
    order.

    Costs are at least 0. If several ways cost the same, which of them is returned is undefined:
    lots must be part of the costs.
    """
    dearest = max(costs.values(), default=0)
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(1 + max([b for _, b in costs], default=-1)))
    graph.add_edges_from([(a, b, dearest - cost) for (a, b), cost in costs.items()])
    return sorted(
        [
            (min(pair), max(pair))
            for pair in rustworkx.max_weight_matching(graph, True, weight_fn=int)
        ]
    )
