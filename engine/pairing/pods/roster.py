"""A draw's input as arrays of whole numbers, for searches. Players are numbered in the order of
the input."""

from dataclasses import dataclass, replace
from itertools import permutations
from typing import Final

import numpy as np

from engine.arrays import Ints
from engine.pairing.cost import seat_count
from engine.pairing.draw_input import DrawInput

SHORT: Final = 1
"""The kind of a place at a table smaller than the wanted size; 0 is the kind of a place at any
other table."""
OUT: Final = 2
"""The kind of the place of a player who sits out."""
MEETING: Final = 1 << 16
"""The energy of a repeated meeting in an annealing; all other energies are in proportion to it."""
MUST: Final = 1 << 12
"""Added to the meetings of two players who must stay apart: more than any two can have."""
WISH: Final = MEETING // 2
"""The energy of two players at a table who wish to stay apart."""
SPREAD: Final = MEETING // 10
"""The energy of two players at a table whose points differ by the average difference of two
players."""

RANGE: Final = 13
"""Bits of the scores in searches: if scores lie further apart, their lowest bits are dropped."""
PRICES: Final = {
    "out": 1 << 30,
    "wish": 1 << 34,
    "short_later": 1 << 38,
    "again": 1 << 41,
    "must": 1 << 51,
    "short": 1 << 55,
    "bye": 1 << 58,
}
"""Prices of a sweep: each is more than all those before it can add up to in one swap, and all
fit into 62 bits. Only one of the two prices for a short table is used, as meetings count before
or after them."""
MOST_AGAIN: Final = 63
MOST_OUT: Final = 15
MOST_TURNS: Final = 7
MOST_SEATS: Final = 255
"""Counts beyond these are treated as equal to them."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """The figures for every two players; the last row and column stand for nobody, and are 0.

    `met`: how often they met. `together_now`: the energy of their sitting together in this round,
    apart from repeated meetings. `out`: the energy of each player's sitting out in this round,
    shape (n + 1,).
    """

    met: Ints
    together_now: Ints
    out: Ints


@dataclass(frozen=True, slots=True)
class Roster:
    """The figures for the players of a round; the last player is nobody.

    `score`: shape (n + 1,), as far as prices have room for it; `exact`: to the last bit. `seats`:
    how often each player had each seat, (n + 1, largest table). `floats`: 1 for up and −1 for down
    in the last round, (n + 1,). `turns`: the price of a place of each kind for each player, (3, n +
    1). `keys`: sorted keys of the pairs that should not meet, n + 1 times the first plus the
    second, both ways round; `prices`: those of their meeting. `label`: the number of each player's
    label, 0 for none, (n + 1,); `together`: the price of two players with one label at a table.
    """

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
        """Return the number that stands for nobody."""
        return len(self.score) - 1

    def price(self, first: Ints, second: Ints) -> Ints:
        """Return the price of each first player sitting with each second one; 0 if one is
        nobody."""
        return self.squares(first, second) + self.apart(first, second)

    def squares(self, first: Ints, second: Ints) -> Ints:
        """Return the squared differences of the players' points; 0 if one is nobody."""
        squares: Ints = (self.score[first] - self.score[second]) ** 2
        squares[(first == self.nobody) | (second == self.nobody)] = 0
        return squares

    def apart(self, first: Ints, second: Ints) -> Ints:
        """Return the price of each first player sitting with each second one, without the part for
        their points."""
        price = self._price_of_pairs(first, second)
        if not self.together:
            return price
        alike = same_label(self.label[first], self.label[second], first != second)
        return price + self.together * alike

    def _price_of_pairs(self, first: Ints, second: Ints) -> Ints:
        if not len(self.keys):
            return np.zeros(np.broadcast_shapes(first.shape, second.shape), np.int64)
        keys = first * len(self.score) + second
        positions = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[positions] == keys, self.prices[positions], 0)

    def planned(self, tables: Ints) -> "Roster":
        """Return the roster with a price for repeating the meetings of planned tables, shape
        (tables, largest)."""
        keys = np.concatenate([self.keys, _pair_keys(tables, self.nobody)])
        prices = np.concatenate([self.prices, np.full(len(keys) - len(self.keys), PRICES["again"])])
        keys, prices = _added_up(keys, prices)
        return replace(self, keys=keys, prices=prices)


def roster_of(draw_input: DrawInput, largest: int) -> Roster:
    """Return the roster of a settled input, for tables of at most the given size."""
    players = draw_input.participants
    floats = {"up": 1, "down": -1, None: 0}
    score = np.array([*_narrow([player.score for player in players]), 0])
    least = min([player.score for player in players])
    seats = [[seat_count(player, seat) for seat in range(largest)] for player in players]
    seats.append([0] * largest)
    keys, prices = _prices_of_pairs(draw_input)
    return Roster(
        score=score,
        exact=np.array([*[player.score - least for player in players], 0]),
        seats=np.minimum(np.array(seats), MOST_SEATS),
        floats=np.array([*[floats[player.floats] for player in players], 0]),
        turns=_prices_of_turns(draw_input, score),
        keys=keys,
        prices=prices,
        label=labels_of(draw_input),
        together=PRICES[draw_input.labels] if draw_input.labels else 0,
    )


def _prices_of_turns(draw_input: DrawInput, score: Ints) -> Ints:
    """Return the price of a place of each kind for each player, shape (3, n + 1)."""
    players = draw_input.participants
    short = PRICES["short_later" if draw_input.meetings_first else "short"]
    short_counts = np.array([player.short for player in players])
    bye_counts = np.array([player.byes for player in players])
    turns = np.zeros((3, len(players) + 1), np.int64)
    turns[SHORT, :-1] = np.minimum(short_counts - short_counts.min(), MOST_TURNS) * short
    turns[OUT, :-1] = np.minimum(bye_counts - bye_counts.min(), MOST_TURNS) * PRICES["bye"]
    # The number of lower scores: if points lie far apart, there is no room for their differences.
    lower_scores = np.unique(score, return_inverse=True)[1]
    turns[OUT] += np.minimum(lower_scores, MOST_OUT) * PRICES["out"]
    return turns


def _prices_of_pairs(draw_input: DrawInput) -> tuple[Ints, Ints]:
    """Return the sorted keys of the pairs that met or should stay apart, and the price of each.

    The key of a pair is (n + 1) times the number of the first player plus that of the second. Each
    pair has two keys, as either player may be the first. If a pair has several prices, for instance
    for several meetings, they are added up.
    """
    index = {player.player_id: number for number, player in enumerate(draw_input.participants)}
    nobody = len(index)
    keys = [np.zeros(0, np.int64)]
    prices = [np.zeros(0, np.int64)]
    for round_tables in draw_input.played:
        tables = [[index[player_id] for player_id in table] for table in round_tables]
        keys.append(_pair_keys(_padded(tables, nobody), nobody))
        prices.append(np.full(len(keys[-1]), PRICES["again"]))
    for pair in draw_input.apart:
        first = index[pair.first]
        second = index[pair.second]
        keys.append(np.array([first * (nobody + 1) + second, second * (nobody + 1) + first]))
        prices.append(np.full(2, PRICES["must" if pair.must else "wish"]))
    return _added_up(np.concatenate(keys), np.concatenate(prices))


def labels_of(draw_input: DrawInput) -> Ints:
    """Return the number of the label of each player, and of nobody, shape (n + 1,)."""
    return np.array([*[player.label for player in draw_input.participants], 0])


def same_label(first: Ints, second: Ints, are_different: Ints) -> Ints:
    """Return 1 where two different players have the same label, else 0.

    `first` and `second`: the labels of the two. `are_different`: whether they are two players."""
    return np.where((first == second) & (first > 0) & are_different, 1, 0)


def pairs_of(draw_input: DrawInput, weight: int = SPREAD) -> Pairs:
    """Return the matrices for an annealing, from a settled input.

    `weight`: the energy of a difference in points."""
    index = {player.player_id: number for number, player in enumerate(draw_input.participants)}
    width = len(index) + 1
    met = np.zeros((width, width), np.int64)
    for tables in draw_input.played:
        for table in tables:
            for first, second in permutations([index[player_id] for player_id in table], 2):
                met[first, second] += 1

    score = np.array(_narrow([player.score for player in draw_input.participants]))
    squares = (score[:, None] - score[None, :]) ** 2
    scale = max(1, int(squares.sum()))
    together_now = np.zeros((width, width), np.int64)
    together_now[:-1, :-1] = squares * weight * squares.size // scale
    out = np.append((draw_input.sizes[0] - 1) * score**2 * weight * squares.size // scale, 0)
    for pair in draw_input.apart:
        indices = [index[pair.first], index[pair.second]]
        if pair.must:
            met[indices, indices[::-1]] += MUST
        else:
            together_now[indices, indices[::-1]] += WISH
    if draw_input.labels:
        labels = labels_of(draw_input)
        have_same_label = same_label(labels[:, None], labels, ~np.eye(width, dtype=bool))
        if draw_input.labels == "must":
            met += MUST * have_same_label
        else:
            together_now += WISH * have_same_label
    return Pairs(met, together_now, out)


def _narrow(scores: list[int]) -> list[int]:
    """Return the scores from 0 on, without their last bits if they lie too far apart."""
    least = min(scores)
    bits = max(0, (max(scores) - least).bit_length() - RANGE)
    return [(score - least) >> bits for score in scores]


def _padded(tables: list[list[int]], nobody: int) -> Ints:
    largest = max(map(len, tables), default=0)
    rows = [table + [nobody] * (largest - len(table)) for table in tables]
    return np.array(rows, np.int64).reshape(len(tables), largest)


def _pair_keys(tables: Ints, nobody: int) -> Ints:
    """Return the key of each pair at the tables, both ways round (see `Roster`)."""
    keys = tables[:, :, None] * (nobody + 1) + tables[:, None, :]
    is_seated = tables != nobody
    both_seated = is_seated[:, :, None] & is_seated[:, None, :]
    pairs: Ints = keys[both_seated & ~np.eye(tables.shape[1], dtype=bool)]
    return pairs


def _added_up(keys: Ints, prices: Ints) -> tuple[Ints, Ints]:
    """Return each key once, sorted, with the sum of its prices.

    More meetings than a price has room for are treated as equally bad.
    """
    unique_keys, positions = np.unique(keys, return_inverse=True)
    total = np.zeros(len(unique_keys), np.int64)
    np.add.at(total, positions, prices)
    again = total % PRICES["must"] // PRICES["again"]
    return unique_keys, total - np.maximum(0, again - MOST_AGAIN) * PRICES["again"]
