"""The players for whom the seats of games at tables count in the season: nobody for guests, the
replaced player for substitutes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from django.db.models import Case, Q, QuerySet, When
from django.db.models.functions import Coalesce

from games.models import Game
from league.core import sql  # noqa: F401 — knows `any_of`
from league.events.entry.models import Entry
from league.stages.table.models import TableGame, TableSeat
from league.standings.ranked_game.queries.seats import Others

SPECIAL: Final = Q(entry__guest=True) | Q(entry__substitutes__isnull=False)
"""Seats of guests and substitutes, whose points don't go to the player who sits there."""


def seats_for_others(games: Sequence[int]) -> Others:
    """Return, by the id of the game, the players at its table who don't play for themselves, each
    with the player for whom they count: None for a guest, even if they are a substitute, too. One
    query."""
    seats = TableSeat.objects.filter(SPECIAL, table__table_games__game__pk__any_of=games)
    rows = seats.order_by().values_list(
        "table__table_games__game",
        Coalesce("entry__player__merged_into", "entry__player"),
        Case(
            When(entry__guest=True, then=None),
            default=Coalesce("entry__substitutes__merged_into", "entry__substitutes"),
        ),
    )
    stand_ins: dict[int, dict[int, int | None]] = {}
    for game, player, counts_for in rows:
        stand_ins.setdefault(game, {})[player] = counts_for
    return stand_ins


def games_for(players: Collection[int]) -> QuerySet[Game]:
    """Return the games at tables where a substitute for one of these players had a seat."""
    return Game.objects.filter(
        table_game__table__in=TableSeat.objects.filter(entry__substitutes__in=players).values(
            "table"
        )
    )


def games_of_entry(entry: Entry) -> list[int]:
    """Return the ids of all games, including corrected ones, at the tables where an entry sat."""
    tables = TableSeat.objects.filter(entry=entry).values("table")
    return list(
        TableGame.objects.filter(table__in=tables).order_by("game").values_list("game", flat=True)
    )


def rankings_with_others(rankings: Collection[int]) -> list[int]:
    """Return the ids of the season rankings, of those given, with a game at whose table a guest or
    a substitute had a seat."""
    seats = TableSeat.objects.filter(SPECIAL, table__table_games__isnull=False)
    owners = seats.filter(entry__event__season__ranking__in=rankings)
    return sorted(set(owners.values_list("entry__event__season__ranking", flat=True)))
