"""Many games rated at once, in waves.

Games are independent as long as no player sits in two of them. A game's wave is one more than the
last wave any of its players was in: a wave holds games that can be computed together, and each
player's games keep their order. A game's result doesn't depend on the games beside it in its wave,
nor on how many games are handed over at a time.

Wide waves are fast: a rebuild of many rankings does best in one call, with (ranking, player) as its
players. The games of a narrow wave are rated one by one, which gives the same to the last digit
(`engine.rating.plackett_luce`)."""

from array import array
from collections.abc import Iterator, Mapping, MutableSequence, Sequence
from dataclasses import dataclass
from typing import Final, Generic, NamedTuple

import numpy as np

from engine.arrays import Floats, Ints
from engine.rating.history import History, K
from engine.rating.plackett_luce import check_ratings, rate_game, update
from engine.rating.rating import Rating

WIDE: Final = 32
"""Seats from which on the games of a wave are rated together. Measured: from 27 seats on with two a
table, from 36 with eight, NumPy is faster than one game after the other."""


class Batch(NamedTuple):
    """Games of one wave with equally many seats that are rated together: for each seat of each its
    row, and the number of its player, both of shape (seats, games)."""

    rows: Ints
    table: Ints


class Succession(NamedTuple):
    """Games that are rated one after the other: of each its rows, from the first to before the
    last, and the numbers of its players; and all their rows."""

    games: list[tuple[int, int, Sequence[int]]]
    rows: Ints


@dataclass(frozen=True, slots=True)
class Waves(Generic[K]):
    """Games arranged in waves: made once, however often they are rated.

    `players`: who sat there, an entry for each seat of each game, game by game in seat order.
    `names`: each of them once; the number of a player is the place in it."""

    players: Sequence[K]
    names: Sequence[K]
    parts: Sequence[Batch | Succession]

    def rate(self, ranks: Sequence[int], ratings: Mapping[K, Rating]) -> History[K]:
        """Rate the games from the ratings before them; who has none starts with `Rating()`.

        `ranks`: who finished where, as `players` has the seats; a lower rank is better, equal ranks
        are shared.

        However the games are cut into portions, each starting from the ratings that the one before
        it left, the history is the same to the last digit. When a game turns up late, the later
        ones have to be rated again.

        ValueError: not a rank for each seat; ratings that aren't finite, or too far out for their
        differences to be computed; more seats on one place than can be
        (`engine.rating.shared_places`)."""
        if len(ranks) != len(self.players):
            raise ValueError(f"games of {len(self.players)} seats need as many players and ranks")
        newcomer = Rating()
        start = [ratings.get(player, newcomer) for player in self.names]
        means, deviations = (array("d", [rating[column] for rating in start]) for column in (0, 1))
        mu, sigma = (
            np.frombuffer(means),
            np.frombuffer(deviations),
        )  # the same numbers, for both ways of rating
        check_ratings(mu, sigma)
        history = np.empty((4, len(ranks)))
        places = np.array(ranks, np.int64)
        with np.errstate(
            all="ignore"
        ):  # what can't be computed is found below, for all games at once
            for part in self.parts:
                if isinstance(part, Batch):
                    before = mu[part.table], sigma[part.table]
                    mu[part.table], sigma[part.table] = after = update(*before, places[part.rows])
                    for column, figures in zip(history, (*before, *after), strict=True):
                        column[part.rows] = figures
                else:
                    _rate_succession(part, ranks, means, deviations, history)
        check_ratings(history[2], history[3])
        return History(self.players, *history.tolist())


def arrange(sizes: Sequence[int], players: Sequence[K]) -> Waves[K]:
    """Arrange games, given in order of play, in waves.

    `sizes`: how many seats each game has. `players`: who sat there, an entry for each seat of each
    game, game by game in seat order.

    ValueError: a game with fewer than two seats or a player twice; another number of players than
    of seats."""
    if sum(sizes) != len(players):
        raise ValueError(f"games of {sum(sizes)} seats need as many players and ranks")
    number = {player: number for number, player in enumerate(dict.fromkeys(players))}
    seated = [number[player] for player in players]
    return Waves(
        players, list(number), list(_parts(sizes, seated, _waves(sizes, seated, len(number))))
    )


def rate_games(
    sizes: Sequence[int], players: Sequence[K], ranks: Sequence[int], ratings: Mapping[K, Rating]
) -> History[K]:
    """Rate games that are rated but once: `arrange` and `Waves.rate` in one, which say all about
    them."""
    return arrange(sizes, players).rate(ranks, ratings)


def _rate_succession(
    games: Succession,
    ranks: Sequence[int],
    mu: MutableSequence[float],
    sigma: MutableSequence[float],
    history: Floats,
) -> None:
    """Rate games one after the other, and note in the history what each did to the ratings."""
    columns: tuple[list[float], ...] = ([], [], [], [])
    mu_before, sigma_before, mu_after, sigma_after = columns
    for first, end, table in games.games:
        means, deviations = [mu[player] for player in table], [sigma[player] for player in table]
        mu_before += means
        sigma_before += deviations
        means, deviations = rate_game(means, deviations, ranks[first:end])
        mu_after += means
        sigma_after += deviations
        for seat, player in enumerate(table):
            mu[player], sigma[player] = means[seat], deviations[seat]
    history[:, games.rows] = columns


def _waves(sizes: Sequence[int], seated: Sequence[int], players: int) -> list[int]:
    """The wave of each game; `seated`: the player in each row, from 0 to `players` − 1."""
    last = [0] * players
    waves: list[int] = []
    row = 0
    for seats in sizes:
        table = seated[row : row + seats]
        if not 2 <= seats == len(set(table)):
            raise ValueError(f"game {len(waves)} needs two or more different players")
        wave = 1 + max([last[player] for player in table])
        for player in table:
            last[player] = wave
        waves.append(wave)
        row += seats
    return waves


def _parts(
    sizes: Sequence[int], seated: Sequence[int], waves: Sequence[int]
) -> Iterator[Batch | Succession]:
    """The games of one wave and one number of seats, wave by wave; those of narrow waves that
    follow each other as one series."""
    if not sizes:
        return
    who, seats, wave = (
        np.array(seated, np.int64),
        np.array(sizes, np.int64),
        np.array(waves, np.int64),
    )
    order = np.lexsort((seats, wave))
    first_row = (np.cumsum(seats) - seats)[order]
    seats, wave = seats[order], wave[order]
    ends = np.flatnonzero(np.append((seats[1:] != seats[:-1]) | (wave[1:] != wave[:-1]), True)) + 1
    series: list[tuple[int, int, Sequence[int]]] = []
    start = 0
    for end, size in zip(ends.tolist(), seats[ends - 1].tolist(), strict=True):
        first = first_row[start:end]
        if size * (end - start) < WIDE:
            series += [(row, row + size, seated[row : row + size]) for row in first.tolist()]
        else:
            if series:
                yield _succession(series)
                series = []
            rows = np.arange(size)[:, None] + first
            yield Batch(rows, who[rows])
        start = end
    if series:
        yield _succession(series)


def _succession(games: list[tuple[int, int, Sequence[int]]]) -> Succession:
    return Succession(
        games, np.array([row for first, end, _ in games for row in range(first, end)])
    )
