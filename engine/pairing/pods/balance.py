"""Floats, first turns and seats evened out: players of equal points change places, and all that
counts more stays.

Who sits together now decides what can be evened out later. Results scatter those of a table over
the scores, and where a score gets too many who still need the same seat, its tables can't give it
to all of them. Chance scatters nothing where all at a table need the same once they get up. As much
as they then differ, they differ now, beyond what this round's seats cost. So among tables whose
seats cost the same those are better at which the seats had before differ less."""

from typing import Final

import numpy as np

from engine.arrays import Bools, Ints
from engine.pairing.pods.roster import Roster
from engine.pairing.pods.sweeps import exchanged, turned
from engine.pairing.seats import best_orders, weighed

REACH: Final = 8
"""How far apart tables are at least, between which players change places; the fewer tables there
are, the further."""
PAIRS: Final = 20_000
"""About how many pairs of tables are looked at: a budget of pairs, not of time, so that results
know no clock."""
BLOCK: Final = 4096
"""How many of them at once: NumPy is fastest with what fits into the processor's cache."""
CHANGES: Final = 32
"""How often changes are made, at most; each time those that are the best of both tables."""
SEAT: Final = 1 << 26
"""The weight of a seat had before, against how much those at a table differ."""
FLOAT: Final = 1 << 50
"""The weight of a float, against seats."""


def evened(tables: Ints, kind: Ints, roster: Roster) -> Ints:
    """The tables (tables, largest) in seat order, after swaps of players with equal points; nobody
    is last.

    `kind`: of the places at each table, shape (tables,). A swap saves floats, then first turns,
    then seats that somebody had before, then differences between those at a table, and makes
    nothing dearer that counts more."""
    seating = _Seating(tables, kind, roster)
    _exchange(seating, np.arange(len(tables)))
    _exchange(seating, np.flatnonzero(seating.uneven()))
    return seating.tables


def _exchange(seating: "_Seating", some: Ints) -> None:
    """Make the swaps between some of the tables, first those that are the best of both tables."""
    near, far = _neighbours(seating, some)
    gain, swap = np.zeros((2, len(near)), np.int64)
    changed = np.ones(len(seating.tables), bool)
    for _ in range(CHANGES):
        again = np.flatnonzero(changed[near] | changed[far])
        for block in np.split(again, range(BLOCK, len(again), BLOCK)):
            gain[block], swap[block] = seating.best_swaps(near[block], far[block])
        swaps = _made(near, far, gain, len(changed))
        if not len(swaps):
            break
        changed = seating.swap(near[swaps], far[swaps], swap[swaps])


def _neighbours(seating: "_Seating", some: Ints) -> tuple[Ints, Ints]:
    """All pairs within reach of some of the tables, at which there are the same points."""
    tables, nobody = seating.tables[some], seating.roster.nobody
    score = seating.roster.exact[tables]
    least = np.where(tables == nobody, score.max(initial=0), score).min(1)
    most = score.max(1)  # nobody's score is 0, the least
    reach = max(REACH, PAIRS // max(1, len(some)))
    near, step = np.divmod(np.arange(len(some) * reach), reach)
    far = near + step + 1
    near, far = near[far < len(some)], far[far < len(some)]
    alike = (least[near] <= most[far]) & (least[far] <= most[near])
    return some[near[alike]], some[far[alike]]


def _made(near: Ints, far: Ints, gain: Ints, tables: int) -> Ints:
    """Tell which pairs of tables have a swap that is the best of both; each table is in one at
    most."""
    order = np.argsort(gain, kind="stable")
    order = order[gain[order] < 0]
    rank = np.arange(len(order))
    best = np.full(tables, len(order))
    np.minimum.at(best, near[order], rank)
    np.minimum.at(best, far[order], rank)
    swaps: Ints = order[(best[near[order]] == rank) & (best[far[order]] == rank)]
    return swaps


class _Seating:
    """Tables in seat order, and what those at each of them are to each other.

    Of the shape (tables, largest) are `ways`, how each place floats, 1 for up and −1 for down;
    `bars`, what each player's meetings at the table cost; `unlike`, how much each one differs from
    the others there. `more`, of the shape (tables, largest, largest): how much more than the own
    place each seat costs each player."""

    def __init__(self, tables: Ints, kind: Ints, roster: Roster) -> None:
        self.tables, self.kind, self.roster = tables.copy(), kind, roster
        self.counts, self.had = weighed(roster.seats), roster.seats.copy()
        self.had[:, 0] *= 2
        self.square = (self.had * self.had).sum(1)
        self.ways, self.bars, self.unlike = np.zeros((3, *tables.shape), np.int64)
        self.more = np.zeros((*tables.shape, tables.shape[1]), np.int64)
        self._settle(np.ones(len(tables), bool))

    def _settle(self, changed: Bools) -> None:
        """Everybody at the changed tables in the best seat order, nobody last."""
        tables = np.sort(self.tables[changed], axis=1)
        size = (tables != self.roster.nobody).sum(1)
        for many in np.unique(size[size > 1]):
            some = np.flatnonzero(size == many)
            players = tables[some, :many]
            orders = best_orders(self.counts[players][:, :, :many])
            tables[some, :many] = np.take_along_axis(players, orders, axis=1)
        self.tables[changed] = tables
        ways, floats = _ways(tables, self.roster), self.roster.floats[tables]
        seats, seat_numbers = self.counts[tables], np.arange(tables.shape[1])
        again = FLOAT * ((floats == ways) & (ways != 0))
        self.more[changed] = (
            SEAT * seats - (SEAT * seats[:, seat_numbers, seat_numbers] + again)[:, :, None]
        )
        self.ways[changed] = ways
        self.bars[changed] = self.roster.apart(tables[:, :, None], tables[:, None, :]).sum(2)
        self.unlike[changed] = self._unlike(tables, tables).sum(2)

    def _unlike(self, near_table: Ints, right: Ints) -> Ints:
        """Tell how much each of the left differs from each of the right in the seats had before, by
        squares."""
        squares = self.square[near_table][:, :, None] + self.square[right][:, None, :]
        squares -= 2 * np.einsum("cik,cjk->cij", self.had[near_table], self.had[right])
        seated_squares: Ints = squares * (
            (near_table != self.roster.nobody)[:, :, None]
            & (right != self.roster.nobody)[:, None, :]
        )
        return seated_squares

    def uneven(self) -> Bools:
        """At which tables somebody floats again, or has a seat that they had more often than
        another one there."""
        somebody, seat_numbers = self.tables != self.roster.nobody, np.arange(self.tables.shape[1])
        seats = np.where(
            somebody[:, None, :], self.roster.seats[self.tables], self.roster.seats.max()
        )
        often = somebody & (seats[:, seat_numbers, seat_numbers] > seats.min(2))
        uneven: Bools = (
            often | ((self.roster.floats[self.tables] == self.ways) & (self.ways != 0))
        ).any(1)
        return uneven

    def best_swaps(self, near: Ints, far: Ints) -> tuple[Ints, Ints]:
        """Return what the best swap of two players with equal points adds at pairs of tables, and
        which of all it is."""
        near_table, right = self.tables[near], self.tables[far]
        gain = exchanged(self._unlike(near_table, right), self.unlike[near], self.unlike[far])
        gain += self._moved(near, far) + self._moved(far, near).swapaxes(1, 2)
        gain *= self.roster.exact[near_table][:, :, None] == self.roster.exact[right][:, None, :]
        gain *= (near_table != self.roster.nobody)[:, :, None] & (right != self.roster.nobody)[
            :, None, :
        ]
        some = np.flatnonzero((gain < 0).any((1, 2)))
        gain[some] = np.where(self._dearer(near[some], far[some]) > 0, 0, gain[some])
        gain = gain.reshape(len(near), gain.shape[1] ** 2)
        best = gain.argmin(1)
        least: Ints = gain[np.arange(len(near)), best]
        return least, best

    def _dearer(self, near: Ints, far: Ints) -> Ints:
        """Return what each swap adds to what counts more: who meets whom, and whose turn it is to
        sit short or out."""
        near_table, right = self.tables[near], self.tables[far]
        bars = self.roster.apart(near_table[:, :, None], right[:, None, :])
        dearer = exchanged(bars, self.bars[near], self.bars[far])
        return (
            dearer + turned(self.kind, self.roster, near, far, near_table, right)
            if self.kind.any()
            else dearer
        )

    def _moved(self, near: Ints, far: Ints) -> Ints:
        """Return what floats and seats cost each player of the near table more at each place of the
        far one."""
        floats, ways = self.roster.floats[self.tables[near]][:, :, None], self.ways[far][:, None, :]
        more: Ints = self.more[near] + FLOAT * ((floats == ways) & (ways != 0))
        return more

    def swap(self, near: Ints, far: Ints, swap: Ints) -> Bools:
        """Make these swaps, of tables that are all different; which tables they changed."""
        near_seat, far_seat = np.divmod(swap, self.tables.shape[1])
        self.tables[near, near_seat], self.tables[far, far_seat] = (
            self.tables[far, far_seat],
            self.tables[near, near_seat],
        )
        changed = np.zeros(len(self.tables), bool)
        changed[near] = changed[far] = True
        self._settle(changed)
        return changed


def _ways(tables: Ints, roster: Roster) -> Ints:
    """Tell how each place at a table floats: 1 for up, −1 for down, shape (tables, largest)."""
    score, somebody = roster.exact[tables], tables != roster.nobody
    lower, higher = score[:, :, None] < score[:, None, :], score[:, :, None] > score[:, None, :]
    itself = np.eye(tables.shape[1], dtype=bool) | ~somebody[:, None, :]
    several = somebody & (somebody.sum(1) > 1)[:, None]
    ways: Ints = ((lower | itself).all(2) & several).astype(np.int64) - (
        (higher | itself).all(2) & several
    )
    return ways
