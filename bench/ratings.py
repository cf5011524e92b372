"""Ratings of many games beside the package openskill: players of a league and of a club, the same
player in every game, and four players alone.

Each league is rated without shared places and with some, which openskill rates otherwise
(`engine.rating.shared_places`). Ours rates games whose waves are arranged before, and once more
with arranging them. openskill's fastest call takes the seats of a game from the first to the last,
and ranks only where some are shared; that order, too, is there before."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from openskill.models import PlackettLuce, PlackettLuceRating

from bench.measure import Contest, run
from engine.rating.waves import arrange, rate_games

SEATS: Final = 4
Game: TypeAlias = tuple[Sequence[int], list[int]]
"""The players of a game and their ranks, in seat order."""


SHARED: Final = (0.0, 0.2)
"""The share of games in which two share a place. In the sample seasons it is an eighth."""


def random_games(
    count: int, shared: float, tables: Callable[[random.Random], Sequence[int]]
) -> list[Game]:
    """Games of players whom `tables` draws, of which that share has a shared place."""
    dice = random.Random(1)
    games = []
    for _ in range(count):
        ranks = [1, 2, 2, 4] if dice.random() < shared else [1, 2, 3, 4]
        games.append((tables(dice), dice.sample(ranks, SEATS)))
    return games


LEAGUES: Final[Sequence[tuple[str, int, Callable[[random.Random], Sequence[int]]]]] = (
    ("5,000 players", 20_000, lambda dice: dice.sample(range(5_000), SEATS)),
    ("28 players", 5_000, lambda dice: dice.sample(range(28), SEATS)),
    (
        "5,000 players, one of them in every game",
        5_000,
        lambda dice: [0, *dice.sample(range(1, 5_000), SEATS - 1)],
    ),
    ("four players", 5_000, lambda dice: dice.sample(range(SEATS), SEATS)),
)
"""What is rated: a title, how many games, and who plays each."""


def rate_theirs(games: Sequence[tuple[Sequence[int], list[float] | None]]) -> None:
    """Rate games, given best first, one after the other."""
    model = PlackettLuce()
    ratings: dict[int, PlackettLuceRating] = {}
    for players, ranks in games:
        teams = [[ratings.get(player) or model.rating()] for player in players]
        after = model.rate(teams) if ranks is None else model.rate(teams, ranks=ranks)
        for player, [rating] in zip(players, after, strict=True):
            ratings[player] = rating


def best_first(game: Game) -> tuple[Sequence[int], list[float] | None]:
    """A game as openskill rates it soonest: players best first, and ranks only if some are
    shared."""
    players, ranks = game
    order = sorted(range(len(ranks)), key=ranks.__getitem__)
    shared = len(set(ranks)) < len(ranks)
    return [players[seat] for seat in order], [
        float(ranks[seat]) for seat in order
    ] if shared else None


def contest(title: str, games: Sequence[Game]) -> Contest:
    """Both with the same games."""
    sizes = [len(players) for players, _ in games]
    players = [player for table, _ in games for player in table]
    ranks = [rank for _, places in games for rank in places]
    waves, theirs = arrange(sizes, players), [best_first(game) for game in games]
    return Contest(
        f"Ratings: {title}",
        "games",
        len(games),
        {
            "Cups Up, waves arranged before": lambda: waves.rate(ranks, {}),
            "Cups Up, arranged as well": lambda: rate_games(sizes, players, ranks, {}),
            "openskill, best first": lambda: rate_theirs(theirs),
        },
    )


def measure() -> None:
    """Print how many games are rated in a second of CPU time."""
    for title, count, tables in LEAGUES:
        for shared in SHARED:
            run(
                contest(f"{title}, {shared:.0%} shared places", random_games(count, shared, tables))
            )
