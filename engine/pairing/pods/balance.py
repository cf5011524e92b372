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
from engine.pairing.pods.sweeps import added_by_exchange, added_by_turns
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
    """Return the tables (tables, largest) in seat order, empty seats last, after swaps of players
    with equal points.

    `kind`: the kind of each table's places, shape (tables,). A swap has to reduce the floats; or
    with as many floats, the repeated first turns; or else the repeated seats; or else the
    differences between a table's players.
    """
    seating = _Seating(tables, kind, roster)
    _make_swaps(seating, np.arange(len(tables)))
    _make_swaps(seating, np.flatnonzero(seating.uneven()))
    return seating.tables


def _make_swaps(seating: "_Seating", numbers: Ints) -> None:
    """Swap players between tables with these `numbers` and nearby ones while that makes the
    seating better, in at most `CHANGES` rounds."""
    near, far = _pairs_within_reach_sharing_scores(seating, numbers)
    added = np.zeros(len(near), np.int64)
    swap = np.zeros(len(near), np.int64)
    changed = np.ones(len(seating.tables), bool)
    for _ in range(CHANGES):
        to_compute = np.flatnonzero(changed[near] | changed[far])
        for block in np.split(to_compute, range(BLOCK, len(to_compute), BLOCK)):
            added[block], swap[block] = seating.best_swaps(near[block], far[block])
        swaps = _best_of_both(near, far, added, len(changed))
        if not len(swaps):
            break
        changed = seating.swap(near[swaps], far[swaps], swap[swaps])


def _pairs_within_reach_sharing_scores(seating: "_Seating", numbers: Ints) -> tuple[Ints, Ints]:
    """Return the first and the second table of each pair to consider, of the tables `numbers`."""
    tables = seating.tables[numbers]
    nobody = seating.roster.nobody
    score = seating.roster.exact[tables]
    least = np.where(tables == nobody, score.max(initial=0), score).min(1)
    most = score.max(1)  # nobody's score is 0, the least
    reach = max(REACH, PAIRS // max(1, len(numbers)))
    near, step = np.divmod(np.arange(len(numbers) * reach), reach)
    far = near + step + 1
    exists = far < len(numbers)
    near = near[exists]
    far = far[exists]
    overlap = (least[near] <= most[far]) & (least[far] <= most[near])
    return numbers[near[overlap]], numbers[far[overlap]]


def _best_of_both(near: Ints, far: Ints, added: Ints, tables: int) -> Ints:
    """Return the pairs whose swap is the best one for both of their tables and saves something.

    `near` and `far`: the tables of each pair. `added`: what its best swap adds to the cost."""
    order = np.argsort(added, kind="stable")
    order = order[added[order] < 0]
    rank = np.arange(len(order))
    best = np.full(tables, len(order))
    np.minimum.at(best, near[order], rank)
    np.minimum.at(best, far[order], rank)
    is_best = (best[near[order]] == rank) & (best[far[order]] == rank)
    swaps: Ints = order[is_best]
    return swaps


class _Seating:
    """Tables in seat order, and figures about the players at each of them.

    Of the shape (tables, largest) are `floating`, how each place floats, 1 for up and −1 for down;
    `meeting_prices`, what each player's meetings at the table cost; `differences`, how much each
    player's seats so far differ from those of the others there. `extra`, of the shape (tables,
    largest, largest): how much more than their own place each seat costs each player.
    """

    def __init__(self, tables: Ints, kind: Ints, roster: Roster) -> None:
        self.tables = tables.copy()
        self.kind = kind
        self.roster = roster
        self.counts = weighed(roster.seats)
        self.had = roster.seats.copy()
        self.had[:, 0] *= 2
        self.square = (self.had * self.had).sum(1)
        self.floating = np.zeros(tables.shape, np.int64)
        self.meeting_prices = np.zeros(tables.shape, np.int64)
        self.differences = np.zeros(tables.shape, np.int64)
        self.extra = np.zeros((*tables.shape, tables.shape[1]), np.int64)
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

        floating = _floating(tables, self.roster)
        floats_again = (self.roster.floats[tables] == floating) & (floating != 0)
        seat_numbers = np.arange(tables.shape[1])
        seats = SEAT * self.counts[tables]
        own = seats[:, seat_numbers, seat_numbers] + FLOAT * floats_again
        self.extra[changed] = seats - own[:, :, None]
        self.floating[changed] = floating
        self.meeting_prices[changed] = self.roster.apart(
            tables[:, :, None], tables[:, None, :]
        ).sum(2)
        self.differences[changed] = self._seat_differences(tables, tables).sum(2)

    def _seat_differences(self, near_table: Ints, far_table: Ints) -> Ints:
        """Return the squared differences of the counts of each near and each far player's seats so
        far, 0 if one of the two is nobody."""
        squares = self.square[near_table][:, :, None] + self.square[far_table][:, None, :]
        squares -= 2 * np.einsum("cik,cjk->cij", self.had[near_table], self.had[far_table])
        differences: Ints = squares * self._both_seated(near_table, far_table)
        return differences

    def _both_seated(self, near_table: Ints, far_table: Ints) -> Bools:
        nobody = self.roster.nobody
        both: Bools = (near_table != nobody)[:, :, None] & (far_table != nobody)[:, None, :]
        return both

    def uneven(self) -> Bools:
        """Return the tables at which a player floats again, or has had their seat more often than
        another one there."""
        is_seated = self.tables != self.roster.nobody
        seat_numbers = np.arange(self.tables.shape[1])
        # A seat that nobody has at a smaller table counts as the most used one: no player needs it.
        seats = np.where(
            is_seated[:, None, :], self.roster.seats[self.tables], self.roster.seats.max()
        )
        is_uneven = is_seated & (seats[:, seat_numbers, seat_numbers] > seats.min(2))
        floats_again = (self.roster.floats[self.tables] == self.floating) & (self.floating != 0)
        uneven: Bools = (is_uneven | floats_again).any(1)
        return uneven

    def best_swaps(self, near: Ints, far: Ints) -> tuple[Ints, Ints]:
        """Return for each pair of tables what the best swap of two players with equal points adds
        to the cost (less than 0 if it saves something), and the number of that swap.

        `near` and `far`: the first and the second table of each pair. The number is the seat at the
        first table times the seats of the largest table, plus the seat at the second."""
        near_table = self.tables[near]
        far_table = self.tables[far]
        points = self.roster.exact
        across = self._seat_differences(near_table, far_table)
        added = added_by_exchange(across, self.differences[near], self.differences[far])
        added += self._added_by_moving(near, far) + self._added_by_moving(far, near).swapaxes(1, 2)
        # Swaps of unequal points, or with nobody, add 0 and so are never made.
        added *= points[near_table][:, :, None] == points[far_table][:, None, :]
        added *= self._both_seated(near_table, far_table)
        saving = np.flatnonzero((added < 0).any((1, 2)))
        breaks_weightier = self._added_by_meetings_and_turns(near[saving], far[saving]) > 0
        added[saving] = np.where(breaks_weightier, 0, added[saving])
        added = added.reshape(len(near), added.shape[1] ** 2)
        best = added.argmin(1)
        least: Ints = added[np.arange(len(near)), best]
        return least, best

    def _added_by_meetings_and_turns(self, near: Ints, far: Ints) -> Ints:
        near_table = self.tables[near]
        far_table = self.tables[far]
        across = self.roster.apart(near_table[:, :, None], far_table[:, None, :])
        added = added_by_exchange(across, self.meeting_prices[near], self.meeting_prices[far])
        if self.kind.any():
            added = added + added_by_turns(self.kind, self.roster, near, far, near_table, far_table)
        return added

    def _added_by_moving(self, near: Ints, far: Ints) -> Ints:
        """Return how much more each seat of the far table would cost each near player than their
        own, in floats and seats."""
        floats = self.roster.floats[self.tables[near]][:, :, None]
        floating = self.floating[far][:, None, :]
        added: Ints = self.extra[near] + FLOAT * ((floats == floating) & (floating != 0))
        return added

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


def _floating(tables: Ints, roster: Roster) -> Ints:
    """Return how each place at a table floats: 1 for up, −1 for down, shape (tables, largest)."""
    score = roster.exact[tables]
    lower = score[:, :, None] < score[:, None, :]
    higher = score[:, :, None] > score[:, None, :]
    is_seated = tables != roster.nobody
    not_compared = np.eye(tables.shape[1], dtype=bool) | ~is_seated[:, None, :]
    has_opponents = is_seated & (is_seated.sum(1) > 1)[:, None]
    up = (lower | not_compared).all(2) & has_opponents
    down = (higher | not_compared).all(2) & has_opponents
    floating: Ints = up.astype(np.int64) - down
    return floating
