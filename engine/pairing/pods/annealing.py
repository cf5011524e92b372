"""This round and the planned ones, drawn together by simulated annealing, with many chains in
NumPy.

A chain is one plan of all these rounds. A step swaps two players of one round in every chain, and
keeps the swap if the plan becomes better, or by lot if it becomes only a little worse; how much
worse it may become shrinks to nothing. All energies are whole numbers, and all lots come from PCG64
with a seed, so every machine draws the same.
"""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.arrays import Ints
from engine.pairing.pods.roster import MEETING, MUST, OUT, Pairs

UNFAIR: Final = MEETING << 14
"""The energy of a short table, or of a bye, for a player whose turn it isn't."""
LATER: Final = MEETING >> 3
"""The energy of a short table for a player whose turn it isn't, if meetings count first."""
BLOCK: Final = 256
"""The number of steps for which lots are drawn at once."""
LIMIT_COUNT: Final = 1 << 12
LIMITS: Final = np.array([-math.log((i + 0.5) / LIMIT_COUNT) for i in range(LIMIT_COUNT)])
"""Limits, in units of the temperature, one of which is drawn for each swap: the swap may make a
plan worse by that much. They are exponentially distributed (Metropolis)."""


@dataclass(frozen=True, slots=True)
class RoundPlaces:
    """The places of a round, those of a table next to each other, and after the last one a place
    for nobody.

    `mates`: the other places at each place's table, shape (places + 1, largest table − 1), padded
    with nobody's. `kind`: of each place, shape (places,). `start`, `size`: the first place of each
    table, and its number of places; a player who sits out is at a table alone.
    """

    mates: Ints
    kind: Ints
    start: Ints
    size: Ints

    @property
    def place_count(self) -> int:
        """Return the number of places, without nobody's."""
        return len(self.mates) - 1


def places(sizes: tuple[int, ...], byes: int, size_asked: int) -> RoundPlaces:
    """Return the places of tables of these sizes, followed by those of the byes."""
    size = np.array([*sizes, *[1] * byes])
    start = np.cumsum(size) - size
    # The place after the last one is nobody's.
    nobody = int(size.sum())
    mates = np.full((nobody + 1, max(sizes) - 1), nobody)
    for first, table_size in zip(start, size, strict=True):
        table = range(first, first + table_size)
        for place in table:
            mates[place, : table_size - 1] = [mate for mate in table if mate != place]
    kinds = [int(table_size < size_asked) for table_size in sizes] + [OUT] * byes
    return RoundPlaces(mates, np.repeat(kinds, size), start, size)


class Plans:
    """Chains of plans for this round, which is round 0, and the rounds to come."""

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
        """Begin all chains.

        `first`: the player on each place of this round, shape (chains, places). `turns`: how often
        each player had a place of each kind before, shape (3, places + 1); its first row and
        nobody's column are 0.
        """
        self.places = places
        self.pairs = pairs
        self.turns_before = turns
        self.chains = len(first)
        self.rounds = rounds
        self.nobody = places.place_count
        self.unfair = np.array([0, LATER if meetings_first else UNFAIR, UNFAIR << 10])
        self.random = np.random.PCG64(seed)
        self.seated = np.full((self.chains, rounds, self.nobody + 1), self.nobody)
        self.seated[:, 0, :-1] = first
        lots = self.random.random_raw(self.chains * (rounds - 1) * self.nobody)
        self.seated[:, 1:, :-1] = np.argsort(
            lots.reshape(self.chains, rounds - 1, self.nobody), axis=2, kind="stable"
        )
        self.met = np.repeat(pairs.met[None], self.chains, axis=0)
        self.turns = np.repeat(turns[None], self.chains, axis=0)
        self.all_alike = not places.kind.any() and bool((places.mates[:-1] != self.nobody).all())
        self._count_plans()
        self.chain = np.tile(np.arange(self.chains), len(places.size) // 2)
        # Where each chain begins in the flat arrays of `seated` and of `met`.
        self.rows = (self.chain * rounds * (self.nobody + 1))[:, None]
        self.grids = (self.chain * (self.nobody + 1) ** 2)[:, None]
        self.together_now = np.tile(pairs.together_now.reshape(-1), self.chains)

    def _count_plans(self) -> None:
        """Add the meetings and the turns of all plans to `met` and `turns`."""
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
        """Return the repeated meetings of each plan, in all its rounds.

        They are weighted by how often the two players met before."""
        # `MUST` is added to the meetings of players who must stay apart; it isn't a meeting.
        met = self.met % MUST
        met_before = self.pairs.met % MUST
        # The sum of 0, 1, …, n − 1 is n·(n − 1) / 2, and each pair is in the matrix twice.
        again: Ints = (met * (met - 1) - met_before * (met_before - 1)).sum((1, 2)) // 4
        return again

    def anneal(self, steps: int, hot: float, cold: float, *, keep_first: bool = False) -> None:
        """Improve the plans by `steps` steps.

        A step pairs the tables of one round at random, and in every chain tries a random swap at
        each pair. It keeps a swap that makes the plan better, or worse by no more than a random
        limit. The mean of these limits is the temperature, which falls from `hot` to `cold`, in
        units of a repeated meeting. `keep_first`: keep this round, and plan only the rounds to
        come."""
        for first_step in range(0, steps, BLOCK):
            swaps = self._swaps()
            limit_numbers = self.random.random_raw((BLOCK, swaps.shape[1])) % np.uint64(LIMIT_COUNT)
            limits = LIMITS[limit_numbers.astype(np.int64)]
            block = range(first_step, first_step + BLOCK)
            temperature = np.array(
                [hot * (cold / hot) ** (step / steps) * MEETING for step in block]
            )
            most_added = (limits * temperature[:, None]).astype(np.int64)
            positions = self.rows + swaps
            mates = self.rows[:, :, None] + self.places.mates[swaps]
            for step, lot_of_round in enumerate(self.random.random_raw(BLOCK)):
                if keep_first:
                    round_index = 1 + int(lot_of_round) % (self.rounds - 1)
                else:
                    # Two of the numbers stand for round 0, so this round gets twice as many steps
                    # as each of the others.
                    round_index = max(0, int(lot_of_round) % (self.rounds + 1) - 1)
                # In the flat array of all plans, a round has one place more, for nobody.
                start_of_round = round_index * (self.nobody + 1)
                self._swap(
                    round_index,
                    swaps[step],
                    start_of_round + positions[step],
                    start_of_round + mates[step],
                    most_added[step],
                )

    def _swaps(self) -> Ints:
        """Return two places at different tables for each pair of tables and chain, shape (steps,
        pairs × chains, 2).

        The tables of a step are all different, so its swaps are independent."""
        tables = len(self.places.size)
        order = np.argsort(self.random.random_raw((BLOCK, tables)), axis=1, kind="stable")
        order = order[:, : tables // 2 * 2].reshape(BLOCK, -1, 1, 2)
        lots = self.random.random_raw((BLOCK, tables // 2, self.chains, 2))
        seats = (lots % self.places.size[order].astype(np.uint64)).astype(np.int64)
        return (self.places.start[order] + seats).reshape(BLOCK, -1, 2)

    def _swap(
        self,
        round_index: int,
        swap: Ints,
        swap_positions: Ints,
        mate_positions: Ints,
        most_added: Ints,
    ) -> None:
        """Swap the players of the two places in each row of `swap` (pairs × chains, 2) if that adds
        at most `most_added` to the energy.

        `swap_positions` and `mate_positions`: where the two places, and the other places at their
        tables, are in the flat array of all plans.
        """
        # Flat indices, `take` and `nonzero`: most of a step's time is NumPy's overhead for each
        # operation.
        width = self.nobody + 1
        met = self.met.reshape(-1)
        seated = self.seated.reshape(-1)
        pair = seated.take(swap_positions)
        mates = seated.take(mate_positions)
        row = (pair * width + self.grids)[:, :, None]
        pairs_before = row + mates
        joined = row + mates[:, ::-1]
        added = met.take(joined) - met.take(pairs_before)
        energy = added.reshape(len(added), -1).sum(1) + 2 * mates.shape[2]
        if not self.all_alike:
            energy -= (mates == self.nobody).sum((1, 2))
        energy *= MEETING
        if round_index == 0:
            points = self.together_now.take(joined) - self.together_now.take(pairs_before)
            energy += points.reshape(len(points), -1).sum(1)
        if not self.all_alike:
            energy += self._added_unfairness(round_index, swap, pair)
        (chains_kept,) = (energy <= most_added).nonzero()
        if not len(chains_kept):
            return
        pair = pair.take(chains_kept, 0)
        mates = mates.take(chains_kept, 0)
        met[pairs_before.take(chains_kept, 0)] -= 1
        met[joined.take(chains_kept, 0)] += 1
        mates *= width
        mates += self.grids.take(chains_kept, 0)[:, :, None]
        met[mates + pair[:, :, None]] -= 1
        met[mates + pair[:, ::-1, None]] += 1
        seated[swap_positions.take(chains_kept, 0)] = pair[:, ::-1]
        if not self.all_alike:
            chains = self.chain[chains_kept]
            self.met[chains, self.nobody] = 0
            self.met[chains, :, self.nobody] = 0
            kinds = self.places.kind[swap[chains_kept]]
            self.turns[chains[:, None], kinds, pair] -= 1
            self.turns[chains[:, None], kinds, pair[:, ::-1]] += 1
            self.turns[chains, 0] = 0

    def _added_unfairness(self, round_index: int, swap: Ints, pair: Ints) -> Ints:
        """Return the energy that each swap adds because it gives a bye, or a place at a short
        table, to a player whose turn it isn't; shape (chains,).

        In this round it is the turn of those who had such a place least often; over all planned
        rounds nobody should have it more often than others. `swap`: the two places of each chain;
        `pair`: the players who have them before the swap."""
        kinds = self.places.kind[swap]
        swapped = pair[:, ::-1]
        if round_index == 0:
            more_turns = self.turns_before[kinds, swapped] - self.turns_before[kinds, pair]
            more_points = self.pairs.out[swapped] - self.pairs.out[pair]
            energy_out = np.where(kinds == OUT, more_points, 0)
            added_now: Ints = (more_turns * self.unfair[kinds] + energy_out).sum(1)
            return added_now
        chains = self.chain[:, None]
        # Plus one: the player who gives up the place has been counted with it already.
        more_turns = self.turns[chains, kinds, swapped] - self.turns[chains, kinds, pair] + 1
        # If both places are of one kind, nothing changes; ordinary places (kind 0) are no turns.
        matters = (kinds[:, 0] != kinds[:, 1])[:, None] & (kinds != 0)
        unfair = np.minimum(self.unfair, MEETING)[kinds]
        added_later: Ints = (more_turns * matters * unfair).sum(1)
        return added_later
