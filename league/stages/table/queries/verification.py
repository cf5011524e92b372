"""Verification of the games of tables, beyond what the log proves about them."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import F

from games.domain.difference import Difference
from league.core.club.models import Club
from league.stages.table.models import TableGame


def table_game_differences(club: Club) -> Iterator[Difference]:
    """Yield the games of tables whose stored revision isn't that of their game."""
    games = TableGame.objects.filter(table__stage_round__stage__event__club=club).exclude(
        revision=F("game__revision")
    )
    for game, stored, expected in games.values_list(
        "game__public_id", "revision", "game__revision"
    ):
        yield Difference("table game", game, "revision", stored, expected)
