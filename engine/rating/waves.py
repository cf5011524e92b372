"""Many games rated at once, in waves.

Games are independent unless a player sits in two of them. A game's wave is one more than the last
wave any of its players was in: a wave holds games that can be computed together, and each player's
games keep their order. A game's result depends neither on the other games in its wave, nor on how
many games are handed over at a time.

Wide waves are fast: a rebuild of many rankings is best done in one call, with (ranking, player) as
its players. The games of a narrow wave are rated one by one, which gives the same result to the
last digit (`engine.rating.plackett_luce`).
"""

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
"""From this many seats on, the games of a wave are rated together. Measured: from 27 seats on
with two at a table, from 36 with eight, NumPy is faster than one game after the other."""


class Batch(NamedTuple):
    """Games of one wave with the same number of seats, which are rated together.

    `rows`, `players`: for each seat of each game its row in the history, and the number of its
    player, both of shape (seats, games).
    """

    rows: Ints
    players: Ints


class Succession(NamedTuple):
    """Games that are rated one after the other.

    `games`: for each game its first row, the row after its last, and the numbers of its players.
    `rows`: all their rows.
    """

    games: list[tuple[int, int, Sequence[int]]]
    rows: Ints


@dataclass(frozen=True, slots=True)
class Waves(Generic[K]):
    """Games arranged in waves: made once, however often they are rated.

    `players`: an entry for each seat of each game, game by game in seat order. `names`: each player
    once; a player's number is the place in it.
    """

    players: Sequence[K]
    names: Sequence[K]
    parts: Sequence[Batch | Succession]

    def rate(self, ranks: Sequence[int], ratings: Mapping[K, Rating]) -> History[K]:
        """Rate the games from the ratings before them; players without one start with `Rating()`.

        `ranks`: an entry for each entry of `players`; a lower rank is better, equal ranks are
        shared. Games may also be rated in several calls, each starting from the ratings after the
        call before: the history is the same to the last digit. When a game turns up late, all games
        after it have to be rated again.

        Raise ValueError if there isn't a rank for each seat; if ratings aren't finite, or too far
        apart to be computed; if too many seats share a place (`engine.rating.shared_places`)."""
        if len(ranks) != len(self.players):
            raise ValueError(f"games of {len(self.players)} seats need as many players and ranks")
        newcomer = Rating()
        start = [ratings.get(player, newcomer) for player in self.names]
        means = array("d", [rating.mu for rating in start])
        deviations = array("d", [rating.sigma for rating in start])
        # Views of the same numbers, as batches are rated in NumPy and single games in plain floats.
        mu = np.frombuffer(means)
        sigma = np.frombuffer(deviations)
        check_ratings(mu, sigma)

        history = np.empty((4, len(ranks)))
        places = np.array(ranks, np.int64)
        # Overflows are found below, for all games at once.
        with np.errstate(all="ignore"):
            for part in self.parts:
                if isinstance(part, Batch):
                    _rate_batch(part, places, mu, sigma, history)
                else:
                    _rate_succession(part, ranks, means, deviations, history)
        check_ratings(history[2], history[3])
        return History(self.players, *history.tolist())


def arrange(sizes: Sequence[int], players: Sequence[K]) -> Waves[K]:
    """Arrange games, given in order of play, in waves.

    `sizes`: how many seats each game has. `players`: an entry for each seat of each game, game by
    game in seat order. Raise ValueError for a game with fewer than two seats or a player twice, or
    if there are more or fewer players than seats."""
    if sum(sizes) != len(players):
        raise ValueError(f"games of {sum(sizes)} seats need as many players and ranks")
    number = {player: number for number, player in enumerate(dict.fromkeys(players))}
    seated = [number[player] for player in players]
    waves = _waves(sizes, seated, len(number))
    return Waves(players, list(number), list(_parts(sizes, seated, waves)))


def rate_games(
    sizes: Sequence[int], players: Sequence[K], ranks: Sequence[int], ratings: Mapping[K, Rating]
) -> History[K]:
    """Arrange games in waves, rate them, and return the ratings before and after each.

    `sizes`: how many seats each game has. `players`, `ranks`: an entry for each seat of each game,
    game by game in seat order; a lower rank is better, equal ranks are shared. `ratings`: those
    before the games; players without one start with `Rating()`. Raise ValueError if a game can't be
    rated."""
    return arrange(sizes, players).rate(ranks, ratings)


def _rate_batch(batch: Batch, places: Ints, mu: Floats, sigma: Floats, history: Floats) -> None:
    mu_before = mu[batch.players]
    sigma_before = sigma[batch.players]
    after = update(mu_before, sigma_before, places[batch.rows])
    mu[batch.players] = after.mu
    sigma[batch.players] = after.sigma
    columns = (mu_before, sigma_before, after.mu, after.sigma)
    for history_column, column in zip(history, columns, strict=True):
        history_column[batch.rows] = column


def _rate_succession(
    games: Succession,
    ranks: Sequence[int],
    mu: MutableSequence[float],
    sigma: MutableSequence[float],
    history: Floats,
) -> None:
    mu_before: list[float] = []
    sigma_before: list[float] = []
    mu_after: list[float] = []
    sigma_after: list[float] = []
    for first, end, table in games.games:
        means = [mu[player] for player in table]
        deviations = [sigma[player] for player in table]
        mu_before += means
        sigma_before += deviations
        means, deviations = rate_game(means, deviations, ranks[first:end])
        mu_after += means
        sigma_after += deviations
        for seat, player in enumerate(table):
            mu[player] = means[seat]
            sigma[player] = deviations[seat]
    history[:, games.rows] = (mu_before, sigma_before, mu_after, sigma_after)


def _waves(sizes: Sequence[int], seated: Sequence[int], players: int) -> list[int]:
    """Return the wave of each game.

    `sizes`: its number of seats. `seated`: the number of the player at each seat, game by game."""
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
    """Yield the games by wave and number of seats; consecutive narrow waves as one succession."""
    if not sizes:
        return
    players = np.array(seated, np.int64)
    seats = np.array(sizes, np.int64)
    wave = np.array(waves, np.int64)
    order = np.lexsort((seats, wave))
    first_row = (np.cumsum(seats) - seats)[order]
    seats = seats[order]
    wave = wave[order]
    is_last = np.append((seats[1:] != seats[:-1]) | (wave[1:] != wave[:-1]), True)
    ends = np.flatnonzero(is_last) + 1

    # The games of narrow waves so far, to be rated one after the other.
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
            yield Batch(rows, players[rows])
        start = end
    if series:
        yield _succession(series)


def _succession(games: list[tuple[int, int, Sequence[int]]]) -> Succession:
    rows: list[int] = []
    for first, end, _ in games:
        rows += range(first, end)
    return Succession(games, np.array(rows))
