"""Floats, first turns and seats evened out: players with equal points change places, and all that
counts more stays the same.

The players at a table today influence what can be evened out later. Results scatter them over the
scores, and if a score gets too many players who still need the same seat, its tables can't give it
to all of them. There is no such risk if all players of a table have the same needs when they leave
it. The differences they leave with are those they came with, apart from this round's seats. So
among tables whose seats cost the same, those are better whose players have had more similar seats
before.
"""

from typing import Final

import numpy as np

from engine.arrays import Bools, Ints
from engine.pairing.pods.roster import Roster
from engine.pairing.pods.sweeps import exchanged, turned
from engine.pairing.seats import best_orders, weighed

REACH: Final = 8
"""How far apart tables whose players change places may be, at least; the fewer tables, the
further."""
PAIRS: Final = 20_000
"""About how many pairs of tables are considered: a budget of pairs, not of time, so results
don't depend on the clock."""
BLOCK: Final = 4096
"""How many of them at once: NumPy is fastest with what fits into the processor's cache."""
CHANGES: Final = 32
"""How many rounds of swaps are made, at most; each time the swaps that are best for both tables."""
SEAT: Final = 1 << 26
"""The weight of a seat had before, against the differences between a table's players."""
FLOAT: Final = 1 << 50
"""The weight of a float, against seats."""


def evened(tables: Ints, kind: Ints, roster: Roster) -> Ints:
    """Return the tables (tables, largest) in seat order, nobody last, after swaps of players with
    equal points.

    `kind`: of the places at each table, shape (tables,). A swap saves floats, then first turns,
    then seats that a player had before, then differences between a table's players, and makes no
    weightier criterion worse.
    """
    seating = _Seating(tables, kind, roster)
    _make_swaps(seating, np.arange(len(tables)))
    _make_swaps(seating, np.flatnonzero(seating.uneven()))
    return seating.tables


def _make_swaps(seating: "_Seating", some: Ints) -> None:
    near, far = _pairs_within_reach_sharing_scores(seating, some)
    gain = np.zeros(len(near), np.int64)
    swap = np.zeros(len(near), np.int64)
    changed = np.ones(len(seating.tables), bool)
    for _ in range(CHANGES):
        again = np.flatnonzero(changed[near] | changed[far])
        for block in np.split(again, range(BLOCK, len(again), BLOCK)):
            gain[block], swap[block] = seating.best_swaps(near[block], far[block])
        swaps = _best_of_both(near, far, gain, len(changed))
        if not len(swaps):
            break
        changed = seating.swap(near[swaps], far[swaps], swap[swaps])


def _pairs_within_reach_sharing_scores(seating: "_Seating", some: Ints) -> tuple[Ints, Ints]:
    tables = seating.tables[some]
    nobody = seating.roster.nobody
    score = seating.roster.exact[tables]
    least = np.where(tables == nobody, score.max(initial=0), score).min(1)
    most = score.max(1)  # nobody's score is 0, the least
    reach = max(REACH, PAIRS // max(1, len(some)))
    near, step = np.divmod(np.arange(len(some) * reach), reach)
    far = near + step + 1
    exists = far < len(some)
    near = near[exists]
    far = far[exists]
    overlap = (least[near] <= most[far]) & (least[far] <= most[near])
    return some[near[overlap]], some[far[overlap]]


def _best_of_both(near: Ints, far: Ints, gain: Ints, tables: int) -> Ints:
    """Return the pairs of tables whose swap is the best of both; each table is in one at most."""
    order = np.argsort(gain, kind="stable")
    order = order[gain[order] < 0]
    rank = np.arange(len(order))
    best = np.full(tables, len(order))
    np.minimum.at(best, near[order], rank)
    np.minimum.at(best, far[order], rank)
    is_best = (best[near[order]] == rank) & (best[far[order]] == rank)
    swaps: Ints = order[is_best]
    return swaps


class _Seating:
    """Tables in seat order, and figures about the players at each of them.

    Of the shape (tables, largest) are `ways`, how each place floats, 1 for up and −1 for down;
    `bars`, what each player's meetings at the table cost; `unlike`, how much each player differs
    from the others there. `more`, of the shape (tables, largest, largest): how much more than
    their own place each seat costs each player.
    """

    def __init__(self, tables: Ints, kind: Ints, roster: Roster) -> None:
        self.tables = tables.copy()
        self.kind = kind
        self.roster = roster
        self.counts = weighed(roster.seats)
        self.had = roster.seats.copy()
        self.had[:, 0] *= 2
        self.square = (self.had * self.had).sum(1)
        self.ways = np.zeros(tables.shape, np.int64)
        self.bars = np.zeros(tables.shape, np.int64)
        self.unlike = np.zeros(tables.shape, np.int64)
        self.more = np.zeros((*tables.shape, tables.shape[1]), np.int64)
        self._settle(np.ones(len(tables), bool))

    def _settle(self, changed: Bools) -> None:
        """Put the changed tables into their best seat order, nobody last, and update the
        figures."""
        tables = np.sort(self.tables[changed], axis=1)
        size = (tables != self.roster.nobody).sum(1)
        for table_size in np.unique(size[size > 1]):
            some = np.flatnonzero(size == table_size)
            players = tables[some, :table_size]
            orders = best_orders(self.counts[players][:, :, :table_size])
            tables[some, :table_size] = np.take_along_axis(players, orders, axis=1)
        self.tables[changed] = tables

        ways = _ways(tables, self.roster)
        floats_again = (self.roster.floats[tables] == ways) & (ways != 0)
        seat_numbers = np.arange(tables.shape[1])
        seats = SEAT * self.counts[tables]
        own = seats[:, seat_numbers, seat_numbers] + FLOAT * floats_again
        self.more[changed] = seats - own[:, :, None]
        self.ways[changed] = ways
        self.bars[changed] = self.roster.apart(tables[:, :, None], tables[:, None, :]).sum(2)
        self.unlike[changed] = self._unlike(tables, tables).sum(2)

    def _unlike(self, near_table: Ints, far_table: Ints) -> Ints:
        squares = self.square[near_table][:, :, None] + self.square[far_table][:, None, :]
        squares -= 2 * np.einsum("cik,cjk->cij", self.had[near_table], self.had[far_table])
        unlike: Ints = squares * self._both_seated(near_table, far_table)
        return unlike

    def _both_seated(self, near_table: Ints, far_table: Ints) -> Bools:
        nobody = self.roster.nobody
        both: Bools = (near_table != nobody)[:, :, None] & (far_table != nobody)[:, None, :]
        return both

    def uneven(self) -> Bools:
        """Return the tables at which a player floats again, or has had their seat more often than
        another one there."""
        is_seated = self.tables != self.roster.nobody
        seat_numbers = np.arange(self.tables.shape[1])
        seats = np.where(
            is_seated[:, None, :], self.roster.seats[self.tables], self.roster.seats.max()
        )
        is_uneven = is_seated & (seats[:, seat_numbers, seat_numbers] > seats.min(2))
        floats_again = (self.roster.floats[self.tables] == self.ways) & (self.ways != 0)
        uneven: Bools = (is_uneven | floats_again).any(1)
        return uneven

    def best_swaps(self, near: Ints, far: Ints) -> tuple[Ints, Ints]:
        """Return what the best swap of players with equal points adds at each pair of tables, and
        the number of that swap."""
        near_table = self.tables[near]
        far_table = self.tables[far]
        exact = self.roster.exact
        gain = exchanged(self._unlike(near_table, far_table), self.unlike[near], self.unlike[far])
        gain += self._moved(near, far) + self._moved(far, near).swapaxes(1, 2)
        gain *= exact[near_table][:, :, None] == exact[far_table][:, None, :]
        gain *= self._both_seated(near_table, far_table)
        some = np.flatnonzero((gain < 0).any((1, 2)))
        gain[some] = np.where(self._dearer(near[some], far[some]) > 0, 0, gain[some])
        gain = gain.reshape(len(near), gain.shape[1] ** 2)
        best = gain.argmin(1)
        least: Ints = gain[np.arange(len(near)), best]
        return least, best

    def _dearer(self, near: Ints, far: Ints) -> Ints:
        """Return what each swap adds to weightier criteria: meetings, and turns at short tables or
        byes."""
        near_table = self.tables[near]
        far_table = self.tables[far]
        bars = self.roster.apart(near_table[:, :, None], far_table[:, None, :])
        dearer = exchanged(bars, self.bars[near], self.bars[far])
        if self.kind.any():
            dearer = dearer + turned(self.kind, self.roster, near, far, near_table, far_table)
        return dearer

    def _moved(self, near: Ints, far: Ints) -> Ints:
        """Return what each place of the far table would cost each near player more, in floats and
        seats."""
        floats = self.roster.floats[self.tables[near]][:, :, None]
        ways = self.ways[far][:, None, :]
        more: Ints = self.more[near] + FLOAT * ((floats == ways) & (ways != 0))
        return more

    def swap(self, near: Ints, far: Ints, swap: Ints) -> Bools:
        """Make these swaps, of tables that are all different; return which tables changed."""
        near_seat, far_seat = np.divmod(swap, self.tables.shape[1])
        near_players = self.tables[near, near_seat]
        self.tables[near, near_seat] = self.tables[far, far_seat]
        self.tables[far, far_seat] = near_players
        changed = np.zeros(len(self.tables), bool)
        changed[near] = True
        changed[far] = True
        self._settle(changed)
        return changed


def _ways(tables: Ints, roster: Roster) -> Ints:
    """Return how each place at a table floats: 1 for up, −1 for down, shape (tables, largest)."""
    score = roster.exact[tables]
    lower = score[:, :, None] < score[:, None, :]
    higher = score[:, :, None] > score[:, None, :]
    is_seated = tables != roster.nobody
    not_compared = np.eye(tables.shape[1], dtype=bool) | ~is_seated[:, None, :]
    has_opponents = is_seated & (is_seated.sum(1) > 1)[:, None]
    up = (lower | not_compared).all(2) & has_opponents
    down = (higher | not_compared).all(2) & has_opponents
    ways: Ints = up.astype(np.int64) - down
    return ways
