"""What a game changed that was written down: in every ranking in which it counts, and where its
players go next."""

from __future__ import annotations

from typing import NamedTuple

from league.sheets.confirmation.queries.double_entry import sealed_game
from league.sheets.sheet.models import ClubOpenGame
from league.sheets.watching.queries.watch import following_tables
from league.standings.ranked_game.models import Appearance
from league.standings.ranking.models import Ranking
from league.standings.ranking.queries.after import SeatGain, seat_gains


class RankingGain(NamedTuple):
    """What a game changed in a ranking: the gain of each seat, the winner's first. `name`: of its
    season, None for the club's ranking of all time."""

    name: str | None
    seats: list[SeatGain]


class NextTable(NamedTuple):
    """Where somebody plays next: the player's name, and the table's public id and name."""

    player: str
    table: str
    place: str


class Gains(NamedTuple):
    """All that a game changed. `rankings` is empty until it is counted."""

    rankings: list[RankingGain]
    following: list[NextTable]


def gains_of(row: ClubOpenGame) -> Gains:
    """Read what the game of an open game changed; nothing before it is sealed. Two queries for each
    ranking, and three."""
    following = []
    if row.table is not None and row.table.finished:
        following = following_tables(row.table.pk)
    rankings = [_gain(row, ranking) for ranking in counting_rankings(row)]
    return Gains(rankings, [NextTable(*line) for line in following])


def counting_rankings(row: ClubOpenGame) -> list[Ranking]:
    """Return the rankings in which the game of an open game is counted, the season's first. One
    query."""
    game = sealed_game(row)
    if game is None:
        return []
    counted = Appearance.objects.filter(game=game).values("ranking")
    rankings = Ranking.objects.filter(pk__in=counted)
    return sorted(rankings, key=lambda ranking: ranking.pk != row.season.ranking_id)


def _gain(row: ClubOpenGame, ranking: Ranking) -> RankingGain:
    game = sealed_game(row)
    assert game is not None
    name = row.season.name if ranking.pk == row.season.ranking_id else None
    return RankingGain(name, seat_gains(game.pk, ranking))
