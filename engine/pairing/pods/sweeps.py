"""One round improved by swaps of two players, over all pairs of tables near each other, many at
once in NumPy.

A sweep takes pairs of tables that are equally far apart in the order of the points, each table in
one pair at most, and makes the best swap of each pair if it saves anything. So a list that was cut
by points loses its repeats by swaps with neighbours.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np

from engine.arrays import Bools, Ints
from engine.pairing.pods.roster import Roster

REACH: Final = 8
"""How far apart the tables of the first sweeps are; if that isn't enough, the next ones reach
twice as far."""
MOST_REACH: Final = 256
"""How far the last sweeps reach: among a thousand others, everybody finds three unmet opponents."""
NEVER: Final = 1 << 62
"""The price of an impossible swap."""


def swept(tables: Ints, kind: Ints, roster: Roster) -> Ints:
    """Return the tables (tables, largest) after all swaps that make them better.

    Smaller tables are padded with nobody. `kind`: of the places at each table, shape (tables,). All
    tables are tried with tables near them; then the tables that still seat a pair that should not
    meet, with tables further and further away."""
    tables = tables.copy()
    active = _prices(tables, roster) > 0
    reach = REACH
    while active.any() and reach <= MOST_REACH:
        moved = np.zeros(len(tables), bool)
        for near, far in _pairs_of_tables(len(tables), reach):
            to_consider = active[near] | active[far] | moved[near] | moved[far]
            near, far = near[to_consider], far[to_consider]
            if len(near):
                _make_best_swaps(tables, kind, roster, near, far, moved)
        active = moved | (roster.apart(tables[:, :, None], tables[:, None, :]).sum((1, 2)) > 0)
        if not moved.any():
            reach *= 2
    return tables


def _make_best_swaps(
    tables: Ints, kind: Ints, roster: Roster, near: Ints, far: Ints, moved: Bools
) -> None:
    """Make the best swap of each pair of tables in `tables`, if it saves something, and mark both
    tables in `moved`."""
    added = _added_by_swaps(tables, kind, roster, near, far).reshape(len(near), -1)
    best = added.argmin(1)
    swaps = np.flatnonzero(added[np.arange(len(near)), best] < 0)
    near_seat, far_seat = np.divmod(best[swaps], tables.shape[1])
    near = near[swaps]
    far = far[swaps]
    near_players = tables[near, near_seat]
    tables[near, near_seat] = tables[far, far_seat]
    tables[far, far_seat] = near_players
    moved[near] = True
    moved[far] = True


def _pairs_of_tables(tables: int, reach: int) -> Iterator[tuple[Ints, Ints]]:
    """Yield pairs of tables up to `reach` apart; each table is in one pair at a time."""
    numbers = np.arange(tables)
    for distance in range(1, reach + 1):
        for offset in (0, distance):
            is_near = (numbers + offset) // distance % 2 == 0
            near = numbers[is_near & (numbers + distance < tables)]
            if len(near):
                yield near, near + distance


def _prices(tables: Ints, roster: Roster) -> Ints:
    prices: Ints = roster.price(tables[:, :, None], tables[:, None, :]).sum((1, 2)) // 2
    return prices


def _added_by_swaps(tables: Ints, kind: Ints, roster: Roster, near: Ints, far: Ints) -> Ints:
    """Return what each swap between two tables adds to the price, shape (pairs, largest,
    largest)."""
    near_table = tables[near]
    far_table = tables[far]
    across = roster.price(near_table[:, :, None], far_table[:, None, :])
    at_near = roster.price(near_table[:, :, None], near_table[:, None, :]).sum(2)
    at_far = roster.price(far_table[:, :, None], far_table[:, None, :]).sum(2)
    added = added_by_exchange(across, at_near, at_far)
    added += added_by_turns(kind, roster, near, far, near_table, far_table)
    is_empty = (near_table == roster.nobody)[:, :, None] | (far_table == roster.nobody)[:, None, :]
    added[is_empty] = NEVER
    return added


def added_by_exchange(across: Ints, at_near: Ints, at_far: Ints) -> Ints:
    """Return what each swap between two tables adds to the price of the pairs of players at them,
    shape (pairs of tables, largest, largest).

    `across`: the price of each near player with each far player, in the same shape. `at_near` and
    `at_far`: the price of each player with all others at their own table, shape (pairs of tables,
    largest)."""
    added: Ints = across.sum(2)[:, :, None] + across.sum(1)[:, None, :] - 2 * across
    added -= at_near[:, :, None] + at_far[:, None, :]
    return added


def added_by_turns(
    kind: Ints, roster: Roster, near: Ints, far: Ints, near_table: Ints, far_table: Ints
) -> Ints:
    """Return what each swap between two tables adds to the price of turns: byes, and seats at short
    tables, given to players whose turn it isn't."""
    near_kind = kind[near][:, None]
    far_kind = kind[far][:, None]
    near_added: Ints = roster.turns[far_kind, near_table] - roster.turns[near_kind, near_table]
    far_added: Ints = roster.turns[near_kind, far_table] - roster.turns[far_kind, far_table]
    return near_added[:, :, None] + far_added[:, None, :]
