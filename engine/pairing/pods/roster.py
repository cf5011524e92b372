"""A draw's input as arrays of whole numbers, for searches. Players are numbers in the order of the
input."""

from dataclasses import dataclass, replace
from itertools import permutations
from typing import Final

import numpy as np

from engine.arrays import Ints
from engine.pairing.cost import seat_count
from engine.pairing.draw_input import DrawInput

SHORT: Final = 1
"""The kind of a place at a table smaller than the wanted size; 0 is that of a place at any
other."""
OUT: Final = 2
"""The kind of a place at no table."""
MEETING: Final = 1 << 16
"""The energy of a meeting again in an annealing; all else is in proportion to it."""
MUST: Final = 1 << 12
"""Added to how often two met who must stay apart: more than any two can have met."""
WISH: Final = MEETING // 2
"""The energy of two at a table who wish to be apart."""
SPREAD: Final = MEETING // 10
"""The energy of two at a table whose points differ by as much as those of two players on
average."""

RANGE: Final = 13
"""Bits in which searches hold scores: where they lie further apart, the least ones of their bits
are left out."""
PRICES: Final = {
    "out": 1 << 30,
    "wish": 1 << 34,
    "short_later": 1 << 38,
    "again": 1 << 41,
    "must": 1 << 51,
    "short": 1 << 55,
    "bye": 1 << 58,
}
"""Prices of a sweep: each is more than all those before it can make in one swap, and all fit in 62
bits. Of the two for a short table one holds, as meetings count before them or behind."""
MOST_AGAIN: Final = 63
MOST_OUT: Final = 15
MOST_TURNS: Final = 7
MOST_SEATS: Final = 255
"""Counts beyond those are as bad."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """All that is known of every two players; the last row and column stand for nobody, and are 0.

    `met`: how often they met. `here`: the energy of their sitting together in this round beyond
    that. `out`: the energy of each one's sitting out in this round, shape (n + 1,)."""

    met: Ints
    here: Ints
    out: Ints


@dataclass(frozen=True, slots=True)
class Roster:
    """All that is known of the players of a round; the last one is nobody.

    `score`: shape (n + 1,), as far as prices have room for it; `exact`: to the last bit. `seats`:
    how often each had each seat, (n + 1, largest table). `floats`: 1 for up and −1 for down in the
    last round, (n + 1,). `turns`: the price of a place of each kind for each one, (3, n + 1).
    `keys`: sorted keys of the pairs that had better not meet, n + 1 times the first and the second,
    both ways round; `prices`: those of their meeting. `label`: the number of each one's label, 0
    for none, (n + 1,); `together`: the price of two of one label at a table."""

    score: Ints
    exact: Ints
    seats: Ints
    floats: Ints
    turns: Ints
    keys: Ints
    prices: Ints
    label: Ints
    together: int

    @property
    def nobody(self) -> int:
        """The number that stands for nobody."""
        return len(self.score) - 1

    def price(self, first: Ints, second: Ints) -> Ints:
        """The price of each of the first sitting with each of the second; nothing where one is
        nobody."""
        return self.squares(first, second) + self.apart(first, second)

    def squares(self, first: Ints, second: Ints) -> Ints:
        """The squared differences of the points of each of the first and each of the second; 0
        where one is nobody."""
        squares: Ints = (self.score[first] - self.score[second]) ** 2
        squares[(first == self.nobody) | (second == self.nobody)] = 0
        return squares

    def apart(self, first: Ints, second: Ints) -> Ints:
        """The price of each of the first sitting with each of the second, but for their points."""
        price = self._price_of_pairs(first, second)
        if not self.together:
            return price
        return price + self.together * same_label(
            self.label[first], self.label[second], first != second
        )

    def _price_of_pairs(self, first: Ints, second: Ints) -> Ints:
        """The price of pairs who had better not meet, whatever their labels."""
        if not len(self.keys):
            return np.zeros(np.broadcast_shapes(first.shape, second.shape), np.int64)
        keys = first * len(self.score) + second
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[at] == keys, self.prices[at], 0)

    def planned(self, tables: Ints) -> "Roster":
        """The roster where those who sit together at planned tables, shape (tables, largest),
        better don't now."""
        keys = np.concatenate([self.keys, _keys(tables, self.nobody)])
        prices = np.concatenate([self.prices, np.full(len(keys) - len(self.keys), PRICES["again"])])
        keys, prices = _added_up(keys, prices)
        return replace(self, keys=keys, prices=prices)


def roster_of(draw_input: DrawInput, largest: int) -> Roster:
    """The roster of a settled input, for tables of at most that size."""
    players = draw_input.participants
    index = {player.player_id: number for number, player in enumerate(players)}
    nobody = len(players)
    floats = {"up": 1, "down": -1, None: 0}
    short = "short_later" if draw_input.meetings_first else "short"
    turns = np.zeros((3, nobody + 1), np.int64)
    for kind, price, counts in (
        (SHORT, PRICES[short], [player.short for player in players]),
        (OUT, PRICES["bye"], [player.byes for player in players]),
    ):
        turns[kind, :-1] = np.minimum(np.array(counts) - min(counts), MOST_TURNS) * price
    score = np.array([*_narrow([player.score for player in players]), 0])
    # By how many scores are lower: where points lie far apart, their differences have no room.
    turns[OUT] += np.minimum(np.unique(score, return_inverse=True)[1], MOST_OUT) * PRICES["out"]
    keys, prices = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for tables in draw_input.played:
        keys.append(
            _keys(
                _as_array([[index[player_id] for player_id in table] for table in tables], nobody),
                nobody,
            )
        )
        prices.append(np.full(len(keys[-1]), PRICES["again"]))
    for pair in draw_input.apart:
        first, second = index[pair.first], index[pair.second]
        keys.append(np.array([first, second]) * (nobody + 1) + np.array([second, first]))
        prices.append(np.full(2, PRICES["must" if pair.must else "wish"]))
    least = min([player.score for player in players])
    return Roster(
        score,
        np.array([*[player.score - least for player in players], 0]),
        np.minimum(
            np.array(
                [[seat_count(player, seat) for seat in range(largest)] for player in players]
                + [[0] * largest]
            ),
            MOST_SEATS,
        ),
        np.array([*[floats[player.floats] for player in players], 0]),
        turns,
        *_added_up(np.concatenate(keys), np.concatenate(prices)),
        labels_of(draw_input),
        PRICES[draw_input.labels] if draw_input.labels else 0,
    )


def labels_of(draw_input: DrawInput) -> Ints:
    """The number of the label of each player, and of nobody, shape (n + 1,)."""
    return np.array([*[player.label for player in draw_input.participants], 0])


def same_label(first: Ints, second: Ints, people: Ints) -> Ints:
    """1 where two labels are the same and of two `people`, else 0."""
    return np.where((first == second) & (first > 0) & people, 1, 0)


def pairs_of(draw_input: DrawInput, weight: int = SPREAD) -> Pairs:
    """The matrices that an annealing works on: what a meeting of each two players costs, from a
    settled input.

    `weight` is the energy of a difference in points.
    """
    index = {player.player_id: number for number, player in enumerate(draw_input.participants)}
    width = len(index) + 1
    met = np.zeros((width, width), np.int64)
    for tables in draw_input.played:
        for table in tables:
            for first, second in permutations([index[player_id] for player_id in table], 2):
                met[first, second] += 1
    score = np.array(_narrow([player.score for player in draw_input.participants]))
    squares = (score[:, None] - score[None, :]) ** 2
    meetings_wanted = np.zeros((width, width), np.int64)
    scale = max(1, int(squares.sum()))
    meetings_wanted[:-1, :-1] = squares * weight * squares.size // scale
    out = np.append((draw_input.sizes[0] - 1) * score**2 * weight * squares.size // scale, 0)
    for pair in draw_input.apart:
        pair_indices = [index[pair.first], index[pair.second]]
        if pair.must:
            met[pair_indices, pair_indices[::-1]] += MUST
        else:
            meetings_wanted[pair_indices, pair_indices[::-1]] += WISH
    if draw_input.labels:
        labels = labels_of(draw_input)
        together = same_label(labels[:, None], labels, ~np.eye(width, dtype=bool))
        if draw_input.labels == "must":
            met += MUST * together
        else:
            meetings_wanted += WISH * together
    return Pairs(met, meetings_wanted, out)


def _narrow(scores: list[int]) -> list[int]:
    """The scores from 0 on, without their last bits where they lie too far apart."""
    least = min(scores)
    bits = max(0, (max(scores) - least).bit_length() - RANGE)
    return [(score - least) >> bits for score in scores]


def _as_array(tables: list[list[int]], nobody: int) -> Ints:
    """Tables of any sizes as an array (tables, largest), filled up with nobody."""
    largest = max(map(len, tables), default=0)
    return np.array(
        [table + [nobody] * (largest - len(table)) for table in tables], np.int64
    ).reshape(len(tables), largest)


def _keys(tables: Ints, nobody: int) -> Ints:
    """The keys of all pairs at tables of shape (tables, largest), both ways round."""
    keys = tables[:, :, None] * (nobody + 1) + tables[:, None, :]
    somebody = tables != nobody
    pairs: Ints = keys[
        somebody[:, :, None] & somebody[:, None, :] & ~np.eye(tables.shape[1], dtype=bool)
    ]
    return pairs


def _added_up(keys: Ints, prices: Ints) -> tuple[Ints, Ints]:
    """Each key once, sorted, with the prices of each added up; more meetings than a price has room
    for are as bad."""
    unique_keys, at = np.unique(keys, return_inverse=True)
    total = np.zeros(len(unique_keys), np.int64)
    np.add.at(total, at, prices)
    again = total % PRICES["must"] // PRICES["again"]
    return unique_keys, total - np.maximum(0, again - MOST_AGAIN) * PRICES["again"]
