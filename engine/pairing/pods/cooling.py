"""The least spread that can be found for one round, by simulated annealing: swaps between tables of
similar points.

It begins with the tables that sweeps leave. A swap that improves the round is kept, and by lot one
that adds only a little spread; how much it may add shrinks to nothing. In the first half of the
steps, a meeting to be avoided costs so little that a chain can pass through it to better tables; in
the second half the chain gets rid of it. All prices are whole numbers, and all lots come from PCG64
with a seed, so every machine draws the same.
"""

from typing import Final

import numpy as np

from engine.arrays import Ints
from engine.pairing.pods.annealing import LIMIT_COUNT, LIMITS
from engine.pairing.pods.roster import Roster

MOST_PLAYERS: Final = 2048
"""With more players, only sweeps look for the least spread: a matrix of all pairs would fill the
memory."""
STEPS: Final = 4096
"""Steps of a chain: a budget of steps, not of time, so results don't depend on the clock."""
CHAINS: Final = range(1, 9)
"""How many chains run side by side; the more tables there are, the fewer."""
TABLES: Final = 256
"""About how many tables all chains together have."""
HOT: Final = 32.0
COLD: Final = 0.2
"""The first and the last temperature, in units of the squared difference between neighbouring
scores."""
PASS: Final = 64
"""What a meeting to be avoided costs in the first half, in the same units. Measured: with it,
tables of a small field in its last rounds have up to a quarter less spread than if no chain
passes through such a meeting."""
REACH: Final = 8
"""How far apart tables that swap may be, in the order of their points."""
BLOCK: Final = 128
"""Steps for which lots are drawn at once, and after which the tables are sorted by points again."""
JITTER: Final = 1 << 10
"""The number of steps into which a place in that order is divided, for the lots that pair
tables."""


def cooled(tables: Ints, kind: Ints, roster: Roster, seed: int) -> Ints:
    """Return the tables (tables, largest) of the best chain, or unchanged if none is better.

    Smaller tables are padded with nobody. `kind`: of the places at each table, shape (tables,).
    """
    scores = np.unique(roster.score[:-1])
    if (
        len(tables) < 2
        or len(scores) < 2
        or roster.nobody > MOST_PLAYERS
        or not _price(tables, kind, roster)
    ):
        return tables
    chains = _Chains(tables, kind, roster, seed)
    chains.cool(float(np.median(np.diff(scores) ** 2)))
    return min([tables, *chains.seated()], key=lambda seated: _price(seated, kind, roster))


def _price(tables: Ints, kind: Ints, roster: Roster) -> int:
    pairs = roster.price(tables[:, :, None], tables[:, None, :]).sum() // 2
    return int(pairs + roster.turns[kind[:, None], tables].sum())


class _Chains:
    """Copies of a round's tables, each of which is annealed by itself.

    `players` has the player on each place of all chains, one after the other; `exact` the price of
    each two players at a table, and `squares` the part of it for their points, both of the shape
    (players + nobody)².
    """

    def __init__(self, tables: Ints, kind: Ints, roster: Roster, seed: int) -> None:
        self.kind = kind
        self.roster = roster
        self.random = np.random.PCG64(seed)
        chain_count = min(max(TABLES // len(tables), CHAINS[0]), CHAINS[-1])
        self.shape = (chain_count, *tables.shape)
        self.players = np.tile(tables.reshape(-1), chain_count)
        self.size = (tables != roster.nobody).sum(1)
        self.all_alike = not kind.any()
        everybody = np.arange(roster.nobody + 1)
        self.exact = roster.price(everybody[:, None], everybody[None, :]).reshape(-1)
        self.squares = roster.squares(everybody[:, None], everybody[None, :]).reshape(-1)
        seats = range(tables.shape[1])
        self.other_seats = np.array([[other for other in seats if other != seat] for seat in seats])

    def seated(self) -> Ints:
        """Return the player on each place, shape (chains, tables, largest)."""
        return self.players.reshape(self.shape)

    def cool(self, unit: float) -> None:
        """Try random swaps while the temperature falls from `HOT` to `COLD` times `unit`, a price.

        A swap is kept if it adds no more to the price than a random limit, whose mean is the
        temperature."""
        passable = np.minimum(self.exact, self.squares + int(PASS * unit))
        for first_step in range(0, STEPS, BLOCK):
            prices = passable if first_step < STEPS // 2 else self.exact
            table, seat = self._swaps()
            place = table * self.shape[2] + seat
            mates = table[..., None] * self.shape[2] + self.other_seats[seat]
            kind = self.kind[table % self.shape[1]]
            limit_numbers = self.random.random_raw(table.shape[:2]) % np.uint64(LIMIT_COUNT)
            limits = LIMITS[limit_numbers.astype(np.int64)]
            steps = range(first_step, first_step + BLOCK)
            temperature = np.array([HOT * (COLD / HOT) ** (step / STEPS) * unit for step in steps])
            most_added = (limits * temperature[:, None]).astype(np.int64)
            for step in range(BLOCK):
                self._swap(prices, place[step], mates[step], kind[step], most_added[step])

    def _swaps(self) -> tuple[Ints, Ints]:
        """Return the tables and the seats of pairs that may swap, both of the shape (steps, pairs,
        2).

        The tables of a step are all different, so its swaps are independent."""
        chains, tables, _ = self.shape
        mean = self.roster.score[self.seated()].sum(2) / self.size
        by_mean = np.argsort(mean, axis=1, kind="stable")
        rank = np.argsort(by_mean, axis=1, kind="stable")
        jitter = self.random.random_raw((BLOCK, chains, tables)) % np.uint64(REACH * JITTER)
        jittered = rank * JITTER + jitter.astype(np.int64)
        order = np.argsort(jittered, axis=2, kind="stable")

        even = tables // 2 * 2
        pairs = order[:, :, :even].reshape(BLOCK, chains, -1, 2)
        seats = self.random.random_raw(pairs.shape) % self.size[pairs].astype(np.uint64)
        first_table = np.arange(chains) * tables
        pairs += first_table[:, None, None]
        return pairs.reshape(BLOCK, -1, 2), seats.astype(np.int64).reshape(BLOCK, -1, 2)

    def _swap(self, prices: Ints, place: Ints, mates: Ints, kind: Ints, most_added: Ints) -> None:
        """Swap the players of the two places in each row of `place` (pairs, 2) if that adds at most
        `most_added` to the price.

        `prices`: of each two players at a table, a square matrix flattened row by row. `mates`: the
        other places at the table of each place, shape (pairs, 2, largest − 1). `kind`: the kind of
        each place (see `engine.pairing.pods.roster`), shape (pairs, 2).
        """
        pair = self.players.take(place)
        others = self.players.take(mates)
        others_after_swap = others[:, ::-1]
        # Where each player's row begins in the flattened matrix.
        row_start = (pair * (self.roster.nobody + 1))[:, :, None]
        added = prices.take(row_start + others_after_swap) - prices.take(row_start + others)
        added_in_all = added.reshape(len(pair), -1).sum(1)
        if not self.all_alike:
            turns = self.roster.turns
            added_in_all += (turns[kind, pair[:, ::-1]] - turns[kind, pair]).sum(1)
        (kept,) = (added_in_all <= most_added).nonzero()
        self.players[place.take(kept, 0)] = pair.take(kept, 0)[:, ::-1]
