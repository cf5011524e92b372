"""Many games rated at once, in waves.

Games are independent as long as no player sits in two of them. A game's wave is one more than the last wave
any of its players was in: a wave holds games that can be computed together, and each player's games keep
their order. The number depends on the games played before alone, not on how many are handed over at a time.

Wide waves are fast: a rebuild of many seasons does best in one call, with (season, player) as its players.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

import numpy as np

from engine.rating.history import G, History, K, Rating, columns
from engine.rating.plackett_luce import update


@dataclass(frozen=True, slots=True)
class Game(Generic[G, K]):
    """A finished game: its players and their ranks, both in seat order; equal ranks are shared.

    ValueError: fewer than two players, a player twice, or not a rank for each.
    """

    id: G
    players: Sequence[K]
    ranks: Sequence[int]

    def __post_init__(self) -> None:
        if not 2 <= len(self.players) == len(self.ranks) == len(set(self.players)):
            raise ValueError(f"game {self.id!r} needs two or more different players and a rank for each")


def rate_games(games: Sequence[Game[G, K]], ratings: Mapping[K, Rating]) -> History[G, K]:
    """Rate games, given in order of play, from the ratings before them; who has none starts with `Rating()`.

    However the games are cut into portions, each starting from the ratings that the one before it left, the
    changes are the same to the last digit. When a game turns up late, the later ones have to be rated again.
    """
    players = [player for game in games for player in game.players]
    number = {player: number for number, player in enumerate(dict.fromkeys(players))}
    now = columns([ratings.get(player, Rating()) for player in number])
    seated = np.array([number[player] for player in players], np.int64)
    ranks = np.array([rank for game in games for rank in game.ranks], np.int64)
    before, after = np.empty_like(now, shape=len(players)), np.empty_like(now, shape=len(players))
    waves = _waves([len(game.players) for game in games], seated.tolist(), now["wave"].tolist())
    for (wave, seats), first_rows in waves:
        rows = np.arange(seats)[:, None] + first_rows
        who = seated[rows]
        before[rows] = now[who]
        step = update(now["mu"][who], now["sigma"][who], ranks[rows])
        now["mu"][who], now["sigma"][who], now["wave"][who] = step.mu, step.sigma, wave
        after[rows] = now[who]
    return History([game.id for game in games for _ in game.players], players, before, after)


def _waves(sizes: Iterable[int], seated: Sequence[int], last: list[int]) -> list[tuple[tuple[int, int], list[int]]]:
    """The games by (wave, number of seats), in that order; a game is given by the row of its first seat.

    `sizes`: the games' numbers of seats; `seated`: the player in each row; `last`: each player's wave so far.
    """
    batches: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    row = 0
    for seats in sizes:
        table = seated[row : row + seats]
        wave = 1 + max([last[player] for player in table])
        for player in table:
            last[player] = wave
        batches[wave, seats].append(row)
        row += seats
    return sorted(batches.items())
