"""The work that waits for arbiters: open calls, objections, hearings and appeals, games that nobody
confirmed, and entries of phones that came too late."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import CharField, Count, Exists, F, Min, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Coalesce

from engine.sheet.entry import ASIDES
from games.models import OpenSheet, SheetBranch, SheetEntry
from league.core.club.models import Club
from league.disputes.appeal.queries import appeals_open
from league.disputes.hearing.queries import hearings_open
from league.disputes.objection.models import Objection
from league.disputes.objection.queries.objection import open_of_club
from league.events.event.models import Event

CALL: Final = "call"
OBJECTION: Final = "objection"
HEARING: Final = "hearing"
APPEAL: Final = "appeal"
UNCONFIRMED: Final = "unconfirmed"
BRANCH: Final = "branch"
CASES: Final = (OBJECTION, HEARING, APPEAL)
"""The kinds on which an arbiter rules on the page of a case."""
KINDS: Final = (CALL, *CASES, UNCONFIRMED, BRANCH)
"""The kinds of work, in the order in which they are listed."""
EVENT: Final = "table_open_game__table__stage_round__stage__event"
"""The lookup path from an open game to its event."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """The work of one kind that waits in a club.

    `count`: the number of pieces. `since`: when the oldest piece began. `open_game`: the public id
    of the open game whose sheet shows the oldest piece; empty if there is no sheet. `game`: the
    public id of the game whose page shows the oldest piece if there is no sheet."""

    kind: str
    club_slug: str
    club_name: str
    timezone: str
    count: int
    since: datetime
    open_game: str
    game: str

    @property
    def is_case(self) -> bool:
        """Return True if an arbiter rules on this kind of work on the page of a case."""
        return self.kind in CASES


def waiting_rulings(clubs: Collection[int]) -> list[Waiting]:
    """Return the work that waits for arbiters in these clubs, given by row id, sorted by kind, then
    the oldest first. One query."""
    if not clubs:
        return []
    objections = _objections(clubs)
    others = [_hearings(clubs), _appeals(clubs), _unconfirmed(clubs), _branches(clubs)]
    rows = objections.union(*others, *_calls(clubs), all=True)
    waiting = []
    for kind, club_slug, club_name, zone, count, since, open_games, games in rows:
        work = Waiting(
            kind=kind,
            club_slug=club_slug,
            club_name=club_name,
            timezone=zone,
            count=count,
            since=since,
            open_game=open_games[0],  # The oldest comes first.
            game=games[0],
        )
        waiting.append(work)
    return sorted(
        _one_per_club(waiting), key=lambda row: (KINDS.index(row.kind), row.since, row.club_slug)
    )


def cases_open(club: Club) -> int:
    """Count the open objections, hearings and appeals of a club. One query."""
    of_club = Q(season_game__season__club=club)
    objections = open_of_club(club).order_by().values("pk")
    hearings = hearings_open(of_club).order_by().values("pk")
    appeals = appeals_open(of_club).order_by().values("pk")
    return objections.union(hearings, appeals, all=True).count()


def _objections(clubs: Collection[int]) -> QuerySet[Any, Any]:
    club = "game__season_game__season__club"
    rows = Objection.objects.filter(end=None, **{f"{club}__in": clubs})
    return _cases(rows, OBJECTION, club=club, since="raised_at", game="game")


def _hearings(clubs: Collection[int]) -> QuerySet[Any, Any]:
    rows = hearings_open(Q(season_game__season__club__in=clubs))
    club = "game__season_game__season__club"
    return _cases(rows, HEARING, club=club, since="opened_at", game="game")


def _appeals(clubs: Collection[int]) -> QuerySet[Any, Any]:
    rows = appeals_open(Q(season_game__season__club__in=clubs))
    return _cases(rows, APPEAL, club="ruling__club", since="raised_at", game="ruling__outcome")


def _cases(rows: QuerySet[Any], kind: str, club: str, since: str, game: str) -> QuerySet[Any, Any]:
    """Summarise open cases. `club`, `since`, `game`: the lookup paths from a case to its club, to
    the time when it began, and to its game."""
    sheet = Coalesce(
        f"{game}__sealed_sheet__sheet__open_game__public_id", Value(""), output_field=CharField()
    )
    return _summed(rows, kind, club, since, sheet, F(f"{game}__public_id"))


def _unconfirmed(clubs: Collection[int]) -> QuerySet[Any, Any]:
    needs_confirmation = ~Q(**{f"open_game__{EVENT}__confirmation": Event.Confirmer.ALONE})
    rows = OpenSheet.objects.filter(
        needs_confirmation, _table_is_open("open_game__", clubs), over=True, sealed=None
    )
    return _summed(
        rows, UNCONFIRMED, f"open_game__{EVENT}__club", "heard_at", F("open_game__public_id")
    )


def _branches(clubs: Collection[int]) -> QuerySet[Any, Any]:
    """Summarise the branches of sheets that aren't sealed: entries that came too late and are kept
    beside the sheet. On a sealed sheet, they raise an objection instead."""
    rows = SheetBranch.objects.filter(
        _table_is_open("sheet__open_game__", clubs), sheet__sealed=None
    )
    club = f"sheet__open_game__{EVENT}__club"
    return _summed(rows, BRANCH, club, "made_at", F("sheet__open_game__public_id"))


def _calls(clubs: Collection[int]) -> list[QuerySet[Any, Any]]:
    """Summarise the calls for an arbiter that nobody has answered: at tables of events, and in
    games of seasons without a table."""
    answers = SheetEntry.objects.filter(
        sheet=OuterRef("sheet"), number__gt=OuterRef("number"), act__in=ASIDES
    )
    calls = SheetEntry.objects.filter(act="call", sheet__sealed=None, sheet__state__has_key="call")
    calls = calls.exclude(Exists(answers)).exclude(
        sheet__open_game__online_table__status="abandoned"
    )
    open_game = F("sheet__open_game__public_id")
    at_events = calls.filter(_table_is_open("sheet__open_game__", clubs))
    club_of_season = "sheet__open_game__season_open_game__season__club"
    in_seasons = calls.filter(**{f"{club_of_season}__in": clubs})
    return [
        _summed(at_events, CALL, f"sheet__open_game__{EVENT}__club", "made_at", open_game),
        _summed(in_seasons, CALL, club_of_season, "made_at", open_game),
    ]


def _one_per_club(rows: Collection[Waiting]) -> list[Waiting]:
    merged: dict[tuple[str, str], Waiting] = {}
    for row in sorted(rows, key=lambda row: row.since):
        key = (row.kind, row.club_slug)
        oldest = merged.get(key)
        if oldest is None:
            merged[key] = row
        else:
            merged[key] = replace(oldest, count=oldest.count + row.count)
    return list(merged.values())


def _table_is_open(open_game: str, clubs: Collection[int]) -> Q:
    is_of_clubs = Q(
        **{
            f"{open_game}{EVENT}__club__in": clubs,
            f"{open_game}table_open_game__table__finished": False,
        }
    )
    return is_of_clubs & ~Q(**{f"{open_game}{EVENT}__status": Event.Status.CANCELLED})


def _summed(
    rows: QuerySet[Any], kind: str, club: str, at: str, sheet: F | Coalesce, game: F | None = None
) -> QuerySet[Any, Any]:
    """Return one row for each club: the kind, the club's slug, name and time zone, the number of
    `rows`, their oldest time, and the sheets and games of all of them, the oldest first.

    `club`, `at`, `sheet`, `game`: the columns of the rows with these values. Rows that always have
    a sheet need no `game`."""
    by_club: QuerySet[Any, Any] = rows.order_by().values_list(
        Value(kind, output_field=CharField()), f"{club}__slug", f"{club}__name", f"{club}__timezone"
    )
    summed: QuerySet[Any, Any] = by_club.annotate(
        count=Count("*"),
        since=Min(at),
        sheets=ArrayAgg(sheet, order_by=at),
        games=ArrayAgg(game or sheet, order_by=at),
    )
    return summed
