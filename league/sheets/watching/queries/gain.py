"""What a game that was written down changed in each ranking in which it counts, and where its
players play next."""

from __future__ import annotations

from typing import NamedTuple

from league.sheets.confirmation.queries.double_entry import sealed_game
from league.sheets.sheet.models import ClubOpenGame
from league.sheets.watching.queries.watch import following_tables
from league.standings.ranked_game.models import Appearance
from league.standings.ranking.models import Ranking
from league.standings.ranking.queries.after import SeatGain, seat_gains


class RankingGain(NamedTuple):
    """What a game changed in a ranking: the gain of each seat, the winner's first. `name`: the name
    of the ranking's season; None for the club's all-time ranking."""

    name: str | None
    seats: list[SeatGain]


class NextTable(NamedTuple):
    """Where a player plays next: the player's name, the table's public id, and the table's name
    (`place`)."""

    player: str
    table: str
    place: str


class Gains(NamedTuple):
    """All that a game changed. `rankings` is empty until the game is counted."""

    rankings: list[RankingGain]
    following: list[NextTable]


def gains_of(row: ClubOpenGame) -> Gains:
    """Return what an open game changed once it was sealed; no rankings before. Two queries for each
    ranking, and three more."""
    next_tables = []
    if row.table is not None and row.table.finished:
        next_tables = following_tables(row.table.pk)
    rankings = [_gain(row, ranking) for ranking in counting_rankings(row)]
    return Gains(rankings, [NextTable(*next_table) for next_table in next_tables])


def counting_rankings(row: ClubOpenGame) -> list[Ranking]:
    """Return the rankings in which an open game counts, its season's first; none before it is
    sealed. One query."""
    game = sealed_game(row)
    if game is None:
        return []
    ranking_ids = Appearance.objects.filter(game=game).values("ranking")
    rankings = Ranking.objects.filter(pk__in=ranking_ids)
    return sorted(rankings, key=lambda ranking: ranking.pk != row.season.ranking_id)


def _gain(row: ClubOpenGame, ranking: Ranking) -> RankingGain:
    game = sealed_game(row)
    assert game is not None
    is_of_season = ranking.pk == row.season.ranking_id
    season_name = row.season.name if is_of_season else None
    return RankingGain(season_name, seat_gains(game.pk, ranking))
