"""The order of seats at a table: everybody opens equally often, and then sits in each seat equally often."""

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Final

import numpy as np

from engine.arrays import Ints
from engine.pairing.cost import seat_count
from engine.pairing.draw_input import Participant, TableIds

OPENING: Final = 1 << 13
"""The weight of a first turn against other seats: more than all those that players at a table had."""


def seated(tables: Sequence[TableIds], players: Mapping[str, Participant]) -> tuple[TableIds, ...]:
    """The tables in seat order: with the least squared counts of first turns, then of seats; of such orders the nearest
    to the given.
    """
    seatings = list(tables)
    for size in {len(table) for table in tables}:
        some = [number for number, table in enumerate(tables) if len(table) == size]
        counts = [
            [[seat_count(players[player_id], seat) for seat in range(size)] for player_id in tables[number]]
            for number in some
        ]
        for number, order in zip(some, best_orders(weighed(np.array(counts))), strict=True):
            seatings[number] = tuple([tables[number][place] for place in order])
    return tuple(seatings)


def weighed(counts: Ints) -> Ints:
    """Weigh counts of seats, the last axis: a first turn counts as `OPENING` of the others."""
    weighed = counts.copy()
    weighed[..., 0] *= OPENING
    return weighed


def best_orders(counts: Ints) -> Ints:
    """The player for each seat of each table; `counts` (tables, players, seats): how often they had it before.

    One more in a seat adds twice its count, and one, to the squared counts: so the sum of the counts is to be least.
    """
    best: Ints = _orders(counts.shape[1])[order_costs(counts).argmin(1)]
    return best


def order_costs(counts: Ints) -> Ints:
    """For every order in which those at each table could sit, how often they had those seats together."""
    orders = _orders(counts.shape[1])
    costs: Ints = counts[:, orders, np.arange(counts.shape[1])].sum(2)
    return costs


def _orders(size: int) -> Ints:
    return np.array(list(permutations(range(size))))
