"""One round improved by swaps of two players, over all pairs of tables that lie near each other,
many at once in NumPy.

A sweep takes tables that stand equally far apart in the order of the points, each in one pair at
most, and makes the best swap of each pair if it costs less. So a list that was cut by points loses
its repeats by swaps with neighbours."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from engine.arrays import Ints
from engine.pairing.pods.roster import Roster

REACH: Final = 8
"""How far apart tables are that the first sweeps take; where that isn't enough, the next ones reach
twice as far."""
MOST_REACH: Final = 256
"""How far the last sweeps reach: among a thousand others everybody finds three whom they haven't
met."""
NEVER: Final = 1 << 62
"""The price of a swap that can't be."""


def swept(tables: Ints, kind: Ints, roster: Roster) -> Ints:
    """The tables (tables, largest) after all swaps that make them better; nobody fills up the
    smaller ones.

    `kind`: of the places at each table, shape (tables,). All are tried with tables near them, then
    those that still seat a pair that had better not meet with tables further and further off."""
    tables = tables.copy()
    active, reach = _price(tables, roster) > 0, REACH
    while active.any() and reach <= MOST_REACH:
        moved = np.zeros(len(tables), bool)
        for near, far in _couples(len(tables), reach):
            to_look_at = active[near] | active[far] | moved[near] | moved[far]
            near, far = near[to_look_at], far[to_look_at]
            if len(near):
                delta = _deltas(tables, kind, roster, near, far).reshape(len(near), -1)
                best = delta.argmin(1)
                swaps = np.flatnonzero(delta[np.arange(len(near)), best] < 0)
                near_seat, far_seat = np.divmod(best[swaps], tables.shape[1])
                near, far = near[swaps], far[swaps]
                tables[near, near_seat], tables[far, far_seat] = (
                    tables[far, far_seat],
                    tables[near, near_seat],
                )
                moved[near] = moved[far] = True
        active = moved | (roster.apart(tables[:, :, None], tables[:, None, :]).sum((1, 2)) > 0)
        reach *= 1 if moved.any() else 2
    return tables


def _couples(tables: int, reach: int) -> Iterator[tuple[Ints, Ints]]:
    """Pairs of tables up to so far apart; each table is in one pair at a time."""
    numbers = np.arange(tables)
    for distance in range(1, reach + 1):
        for offset in (0, distance):
            near = numbers[
                ((numbers + offset) // distance % 2 == 0) & (numbers + distance < tables)
            ]
            if len(near):
                yield near, near + distance


def _price(tables: Ints, roster: Roster) -> Ints:
    """Return what each table costs, shape (tables,)."""
    prices: Ints = roster.price(tables[:, :, None], tables[:, None, :]).sum((1, 2)) // 2
    return prices


def _deltas(tables: Ints, kind: Ints, roster: Roster, near: Ints, far: Ints) -> Ints:
    """Return what each swap between two tables adds to the cost, shape (couples, largest,
    largest)."""
    near_table, right = tables[near], tables[far]
    across = roster.price(near_table[:, :, None], right[:, None, :])
    at_left = roster.price(near_table[:, :, None], near_table[:, None, :]).sum(2)
    at_right = roster.price(right[:, :, None], right[:, None, :]).sum(2)
    delta = exchanged(across, at_left, at_right) + turned(
        kind, roster, near, far, near_table, right
    )
    delta[(near_table == roster.nobody)[:, :, None] | (right == roster.nobody)[:, None, :]] = NEVER
    return delta


def exchanged(across: Ints, at_left: Ints, at_right: Ints) -> Ints:
    """Return what each swap between two tables adds to what every two at a table cost, shape
    (couples, largest, largest).

    `across`: what each on the left costs with each on the right, shape (couples, largest, largest).
    `at_left` and `at_right`: what each costs with all others at the own table, shape (couples,
    largest)."""
    added: Ints = across.sum(2)[:, :, None] + across.sum(1)[:, None, :] - 2 * across
    added -= at_left[:, :, None] + at_right[:, None, :]
    return added


def turned(
    kind: Ints, roster: Roster, near: Ints, far: Ints, near_table: Ints, right: Ints
) -> Ints:
    """Return what each swap between two tables adds because it is, or isn't, the turn of two to sit
    short or out."""
    near_kind, far_kind = kind[near][:, None], kind[far][:, None]
    added: Ints = (roster.turns[far_kind, near_table] - roster.turns[near_kind, near_table])[
        :, :, None
    ]
    return added + (roster.turns[near_kind, right] - roster.turns[far_kind, right])[:, None, :]
