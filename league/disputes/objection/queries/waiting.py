"""What waits for those who rule: open objections, games that nobody confirmed, what phones wrote that came late."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import CharField, Count, F, Min, Q, QuerySet, Value
from django.db.models.functions import Coalesce

from games.models import OpenSheet, SheetBranch
from league.core.club.models import Club
from league.disputes.objection.models import Objection
from league.events.event.models import Event

OBJECTION: Final = "objection"
UNCONFIRMED: Final = "unconfirmed"
BRANCH: Final = "branch"
KINDS: Final = (OBJECTION, UNCONFIRMED, BRANCH)
"""What is listed first, where several wait."""
EVENT: Final = "table_open_game__table__stage_round__stage__event"
"""The way from an open game to its event."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """So many of one kind that wait in a club, since when the oldest does, and where that one is looked at: on the
    sheet of this open game, or where none was written, on the page of this game."""

    kind: str
    club_slug: str
    club_name: str
    timezone: str
    count: int
    since: datetime
    open_game: str
    game: str


def waiting_rulings(clubs: Collection[int]) -> list[Waiting]:
    """Read what waits for those who rule in these clubs, by row ids, by kind and then by age. One query."""
    if not clubs:
        return []
    objections, unconfirmed, branches = _objections(clubs), _unconfirmed(clubs), _branches(clubs)
    rows = objections.union(unconfirmed, branches, all=True)
    waiting = [
        Waiting(kind, slug, name, zone, count, since, open_games[0], games[0])
        for kind, slug, name, zone, count, since, open_games, games in rows
    ]
    return sorted(waiting, key=lambda row: (KINDS.index(row.kind), row.since, row.club_slug))


def objections_open(club: Club) -> int:
    """Count the objections to games of a club that have no end. One query."""
    return Objection.objects.filter(game__season_game__season__club=club, end=None).count()


def _objections(clubs: Collection[int]) -> QuerySet[Any, Any]:
    club = "game__season_game__season__club"
    rows = Objection.objects.filter(end=None, **{f"{club}__in": clubs})
    sheet = Coalesce("game__sealed_sheet__sheet__open_game__public_id", Value(""), output_field=CharField())
    return _summed(rows, OBJECTION, club, "raised_at", sheet, F("game__public_id"))


def _unconfirmed(clubs: Collection[int]) -> QuerySet[Any, Any]:
    asked_for = ~Q(**{f"open_game__{EVENT}__confirmation": Event.Confirmer.ALONE})
    rows = OpenSheet.objects.filter(asked_for, _still_open("open_game__", clubs), over=True, sealed=None)
    return _summed(rows, UNCONFIRMED, f"open_game__{EVENT}__club", "heard_at", F("open_game__public_id"))


def _branches(clubs: Collection[int]) -> QuerySet[Any, Any]:
    """What came late to a sheet that isn't sealed yet; once it is, it objects by itself."""
    rows = SheetBranch.objects.filter(_still_open("sheet__open_game__", clubs), sheet__sealed=None)
    club = f"sheet__open_game__{EVENT}__club"
    return _summed(rows, BRANCH, club, "made_at", F("sheet__open_game__public_id"))


def _still_open(open_game: str, clubs: Collection[int]) -> Q:
    """The condition that the table of an open game, by the way to it, waits for a result at an event of these clubs."""
    is_of_clubs = Q(**{f"{open_game}{EVENT}__club__in": clubs, f"{open_game}table_open_game__table__finished": False})
    return is_of_clubs & ~Q(**{f"{open_game}{EVENT}__status": Event.Status.CANCELLED})


def _summed(
    rows: QuerySet[Any], kind: str, club: str, at: str, sheet: F | Coalesce, game: F | None = None
) -> QuerySet[Any, Any]:
    """How many rows each club has, since when, and their sheets, and games where these may have no sheet, that
    of the oldest first."""
    by_club: QuerySet[Any, Any] = rows.order_by().values_list(
        Value(kind, output_field=CharField()), f"{club}__slug", f"{club}__name", f"{club}__timezone"
    )
    summed: QuerySet[Any, Any] = by_club.annotate(
        count=Count("pk"),
        since=Min(at),
        sheets=ArrayAgg(sheet, order_by=at),
        games=ArrayAgg(game or sheet, order_by=at),
    )
    return summed
