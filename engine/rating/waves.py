"""Many games rated at once, in waves.

Games are independent as long as no player sits in two of them. A game's wave is one more than the last wave
any of its players was in: a wave holds games that can be computed together, and each player's games keep
their order. A game's result doesn't depend on the games beside it in its wave, nor on how many games are handed
over at a time.

Wide waves are fast: a rebuild of many rankings does best in one call, with (ranking, player) as its players.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from engine.arrays import Ints
from engine.rating.history import History, K
from engine.rating.plackett_luce import check_ratings, update
from engine.rating.rating import Rating


def rate_games(
    sizes: Sequence[int], players: Sequence[K], ranks: Sequence[int], ratings: Mapping[K, Rating]
) -> History[K]:
    """Rate games, given in order of play, from the ratings before them; who has none starts with `Rating()`.

    `sizes`: how many seats each game has. `players` and `ranks`: who sat there and finished where, an entry for each
    seat of each game, game by game in seat order; a lower rank is better, equal ranks are shared.

    However the games are cut into portions, each starting from the ratings that the one before it left, the
    history is the same to the last digit. When a game turns up late, the later ones have to be rated again.

    ValueError: a game with fewer than two seats or a player twice; columns of unlike length; ratings that aren't
    finite, or too far out for their differences to be computed.
    """
    if not sum(sizes) == len(players) == len(ranks):
        raise ValueError(f"games of {sum(sizes)} seats need as many players and ranks")
    number = {player: number for number, player in enumerate(dict.fromkeys(players))}
    seated = [number[player] for player in players]
    mu, sigma = np.array([ratings.get(player, Rating()) for player in number], np.float64).reshape(-1, 2).T.copy()
    check_ratings(mu, sigma)
    who, places = np.array(seated, np.int64), np.array(ranks, np.int64)
    mu_before, sigma_before, mu_after, sigma_after = np.empty((4, len(seated)))
    with np.errstate(all="ignore"):  # what can't be computed is found below, for all games at once
        for rows in _batches(sizes, _waves(sizes, seated, len(number))):
            table = who[rows]
            mu_before[rows], sigma_before[rows] = before = mu[table], sigma[table]
            step = update(*before, places[rows])
            mu[table] = mu_after[rows] = step.mu
            sigma[table] = sigma_after[rows] = step.sigma
    check_ratings(mu_after, sigma_after)
    return History(players, mu_before.tolist(), sigma_before.tolist(), mu_after.tolist(), sigma_after.tolist())


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


def _batches(sizes: Sequence[int], waves: Sequence[int]) -> Iterator[Ints]:
    """The games of one wave and one number of seats, wave by wave, as rows of the columns; shape (seats, games)."""
    if not sizes:
        return
    seats, wave = np.array(sizes, np.int64), np.array(waves, np.int64)
    order = np.lexsort((seats, wave))
    first_row = (np.cumsum(seats) - seats)[order]
    seats, wave = seats[order], wave[order]
    ends = np.flatnonzero(np.append((seats[1:] != seats[:-1]) | (wave[1:] != wave[:-1]), True)) + 1
    start = 0
    for end in ends.tolist():
        yield np.arange(seats[start])[:, None] + first_row[start:end]
        start = end
