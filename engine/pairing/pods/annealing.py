"""This round and those still planned, drawn together by simulated annealing: many chains side by
side in NumPy.

A chain is one plan of all these rounds. A step swaps two players of one round in every chain, and
keeps the swap if the plan becomes better, or by lot if it becomes only a little worse; how much
worse that may be shrinks to nothing. All energies are whole numbers, and all lots come from PCG64
by a seed, so that every machine draws the same."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.arrays import Ints
from engine.pairing.pods.roster import MEETING, MUST, OUT, Pairs

UNFAIR: Final = MEETING << 14
"""The energy of a short table, or of sitting out, for one whose turn it isn't."""
LATER: Final = MEETING >> 3
"""The energy of a short table for one whose turn it isn't, where meetings count first."""
BLOCK: Final = 256
"""Steps for which lots are drawn at once."""
LOTS: Final = 1 << 12
WORSE: Final = np.array([-math.log((lot + 0.5) / LOTS) for lot in range(LOTS)])
"""How much worse, in units of the temperature, a lot lets a plan become: exponentially distributed
(Metropolis)."""


@dataclass(frozen=True, slots=True)
class RoundPlaces:
    """The places of a round, those of one table next to each other, and after the last one a place
    for nobody.

    `mates`: the other places of each one's table, shape (places + 1, largest table − 1), filled up
    with nobody's. `kind`: of each place, shape (places,). `start`, `size`: the first place of each
    table, and how many it has; who sits out is at a table alone."""

    mates: Ints
    kind: Ints
    start: Ints
    size: Ints

    @property
    def number(self) -> int:
        """Tell how many places there are for somebody."""
        return len(self.mates) - 1


def places(sizes: tuple[int, ...], byes: int, size_asked: int) -> RoundPlaces:
    """The places of tables of these sizes, then those of who sits out."""
    size = np.array([*sizes, *[1] * byes])
    start = np.cumsum(size) - size
    number = int(size.sum())
    mates = np.full((number + 1, max(sizes) - 1), number)
    for first, many in zip(start, size, strict=True):
        for place in range(first, first + many):
            mates[place, : many - 1] = [
                mate for mate in range(first, first + many) if mate != place
            ]
    kind = np.repeat([*[int(many < size_asked) for many in sizes], *[OUT] * byes], size)
    return RoundPlaces(mates, kind, start, size)


class Plans:
    """Chains of plans for this round, which is round 0, and those to come."""

    def __init__(
        self,
        places: RoundPlaces,
        first: Ints,
        rounds: int,
        pairs: Pairs,
        turns: Ints,
        seed: int,
        *,
        meetings_first: bool = False,
    ) -> None:
        """`first`: who begins on each place of this round, shape (chains, places). `turns`: how
        often somebody had a place of each kind before, shape (3, places + 1); its first row is 0,
        and so is nobody's column."""
        self.places, self.pairs, self.before = places, pairs, turns
        self.chains, self.rounds, self.nobody = len(first), rounds, places.number
        self.unfair = np.array([0, LATER if meetings_first else UNFAIR, UNFAIR << 10])
        self.lots = np.random.PCG64(seed)
        self.seated = np.full((self.chains, rounds, self.nobody + 1), self.nobody)
        self.seated[:, 0, :-1] = first
        lots = self.lots.random_raw(self.chains * (rounds - 1) * self.nobody)
        self.seated[:, 1:, :-1] = np.argsort(
            lots.reshape(self.chains, rounds - 1, self.nobody), axis=2, kind="stable"
        )
        self.met = np.repeat(pairs.met[None], self.chains, axis=0)
        self.turns = np.repeat(turns[None], self.chains, axis=0)
        self.all_alike = not places.kind.any() and bool((places.mates[:-1] != self.nobody).all())
        self._count()
        self.chain = np.tile(np.arange(self.chains), len(places.size) // 2)
        self.rows = (self.chain * rounds * (self.nobody + 1))[:, None]
        self.grids = (self.chain * (self.nobody + 1) ** 2)[:, None]
        self.here = np.tile(pairs.here.reshape(-1), self.chains)

    def _count(self) -> None:
        """Add the plans to what was before."""
        chains = np.arange(self.chains)
        for round_index in range(self.rounds):
            for place in range(self.nobody):
                player = self.seated[:, round_index, place]
                self.turns[chains, self.places.kind[place], player] += 1
                for mate in self.places.mates[place]:
                    if mate != self.nobody:
                        self.met[chains, player, self.seated[:, round_index, mate]] += 1
        self.turns[:, 0] = 0

    def again(self) -> Ints:
        """The meetings again of each plan, in all its rounds, weighted by how often the two met
        before."""
        met, before = self.met % MUST, self.pairs.met % MUST
        again: Ints = (met * (met - 1) - before * (before - 1)).sum((1, 2)) // 4
        return again

    def anneal(self, steps: int, hot: float, cold: float, *, keep_first: bool = False) -> None:
        """Take so many steps while the temperature falls from hot to cold, in units of one meeting
        again.

        `keep_first`: this round stays as it is, and only those to come are planned.
        """
        for first_step in range(0, steps, BLOCK):
            swaps = self._swaps()
            lots = self.lots.random_raw((BLOCK, swaps.shape[1])) % np.uint64(LOTS)
            block = range(first_step, first_step + BLOCK)
            temperature = np.array(
                [hot * (cold / hot) ** (step / steps) * MEETING for step in block]
            )
            most = (WORSE[lots.astype(np.int64)] * temperature[:, None]).astype(np.int64)
            near, mates = self.rows + swaps, self.rows[:, :, None] + self.places.mates[swaps]
            for step, lot in enumerate(self.lots.random_raw(BLOCK)):
                # This round has twice as many steps as each of the others, or none.
                round_index = (
                    1 + int(lot) % (self.rounds - 1)
                    if keep_first
                    else max(0, int(lot) % (self.rounds + 1) - 1)
                )
                first = round_index * (self.nobody + 1)
                self._swap(
                    round_index, swaps[step], first + near[step], first + mates[step], most[step]
                )

    def _swaps(self) -> Ints:
        """Two places at different tables for each pair of tables and chain, shape (steps, pairs ×
        chains, 2).

        The tables of a step are all different, so its swaps don't touch each other.
        """
        tables = len(self.places.size)
        order = np.argsort(self.lots.random_raw((BLOCK, tables)), axis=1, kind="stable")
        order = order[:, : tables // 2 * 2].reshape(BLOCK, -1, 1, 2)
        lots = self.lots.random_raw((BLOCK, tables // 2, self.chains, 2))
        seats = (lots % self.places.size[order].astype(np.uint64)).astype(np.int64)
        return (self.places.start[order] + seats).reshape(BLOCK, -1, 2)

    def _swap(self, round_index: int, swap: Ints, near: Ints, far: Ints, most: Ints) -> None:
        """Swap who has two places, for each of `swap` (pairs × chains, 2), where that costs no more
        than `most`.

        `near` and `far`: where in all plans those two places stand, and those of their mates.
        """
        # Flat indices, `take` and `nonzero` because most of a step's time is what NumPy needs to
        # begin an operation.
        width = self.nobody + 1
        met, seated = self.met.reshape(-1), self.seated.reshape(-1)
        pair, mates = seated.take(near), seated.take(far)
        row = (pair * width + self.grids)[:, :, None]
        pairs_before, joined = row + mates, row + mates[:, ::-1]
        added = met.take(joined) - met.take(pairs_before)
        energy = added.reshape(len(added), -1).sum(1) + 2 * mates.shape[2]
        if not self.all_alike:
            energy -= (mates == self.nobody).sum((1, 2))
        energy *= MEETING
        if round_index == 0:
            points = self.here.take(joined) - self.here.take(pairs_before)
            energy += points.reshape(len(points), -1).sum(1)
        if not self.all_alike:
            energy += self._unfair(round_index, swap, pair)
        (chains_kept,) = (energy <= most).nonzero()
        if not len(chains_kept):
            return
        pair, mates = pair.take(chains_kept, 0), mates.take(chains_kept, 0)
        met[pairs_before.take(chains_kept, 0)] -= 1
        met[joined.take(chains_kept, 0)] += 1
        mates *= width
        mates += self.grids.take(chains_kept, 0)[:, :, None]
        met[mates + pair[:, :, None]] -= 1
        met[mates + pair[:, ::-1, None]] += 1
        seated[near.take(chains_kept, 0)] = pair[:, ::-1]
        if not self.all_alike:
            chains = self.chain[chains_kept]
            self.met[chains, self.nobody] = 0
            self.met[chains, :, self.nobody] = 0
            kinds = self.places.kind[swap[chains_kept]]
            self.turns[chains[:, None], kinds, pair] -= 1
            self.turns[chains[:, None], kinds, pair[:, ::-1]] += 1
            self.turns[chains, 0] = 0

    def _unfair(self, round_index: int, swap: Ints, pair: Ints) -> Ints:
        """Return what a swap costs because it isn't the turn of those who come to sit out or short,
        shape (chains,).

        In this round they are those who did so least often before; in all planned rounds together
        nobody should more often than others."""
        kinds = self.places.kind[swap]
        if round_index == 0:
            before = self.before[kinds, pair[:, ::-1]] - self.before[kinds, pair]
            points = np.where(kinds == OUT, self.pairs.out[pair[:, ::-1]] - self.pairs.out[pair], 0)
            unfairness: Ints = (before * self.unfair[kinds] + points).sum(1)
            return unfairness
        chains = self.chain[:, None]
        turns = self.turns[chains, kinds, pair[:, ::-1]] - self.turns[chains, kinds, pair] + 1
        differ = (kinds[:, 0] != kinds[:, 1])[:, None] & (kinds != 0)
        later: Ints = (turns * differ * np.minimum(self.unfair, MEETING)[kinds]).sum(1)
        return later
