"""Open calls for the arbiter, and the accounts that may rule on them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, NamedTuple

from django.db.models import OuterRef, Q, QuerySet, Subquery

from engine.illegal import Illegal
from engine.messages import say
from engine.sheet.entry import ASIDES
from engine.sheet.versions import ONLINE
from games.models import OpenGame, SheetEntry
from games.queries.open_game import HANDLES
from games.services.open_game import Writer
from league.core.club.models import Club
from league.core.player.queries.player import names_of_handles
from league.core.viewer.queries.access import Viewer, with_right
from league.disputes.call import permissions  # noqa: F401 — says who may rule at a table
from league.events.event.models import Event
from league.play.online_table.models import OnlineTable
from league.sheets.device.queries import seat_of
from league.sheets.sheet.models import (
    CLUB_OF_OPEN_GAME,
    ClubOpenGame,
    SeasonOpenGame,
    TableOpenGame,
)
from league.sheets.sheet.queries.access import SEASON, SHEET, TABLE
from league.sheets.watching.queries.watch import PLAYED
from league.stages.stage.domain.table_name import number_of, table_name

AT_THE_TABLE: Final = Illegal(
    "at_the_table",
    say("you are playing at this table: another arbiter has to rule"),
)
ENTERED_IT: Final = Illegal(
    "entered_it",
    say("you have written on this sheet: another arbiter has to rule"),
)
EVENT: Final = "table__stage_round__stage__event"
CALLED: Final = Q(open_game__sheet__state__has_key="call", open_game__sheet__sealed=None)
"""The condition that an open game has an open call. It fits the index of sheets."""

ABANDONED: Final = Q(open_game__online_table__status=OnlineTable.Status.ABANDONED)
"""The condition that an open game belongs to an abandoned online table."""


class OpenCall(NamedTuple):
    """An open call at an open game (`row`).

    `number`: of the sheet's entry that called. `seat`: the seat that called at an online table;
    None at other tables. `names`: of the players, in the order of seats."""

    row: ClubOpenGame
    number: int
    round_number: int
    called_at: datetime
    seat: int | None
    names: list[str]

    @property
    def place(self) -> str:
        """Return the name of the table, as “Table 4”, or of the season if there is no table."""
        if self.row.table is None:
            return self.row.season.name
        return table_name(number_of(self.row.table))

    @property
    def game_number(self) -> int | None:
        """Return the number of the game at its table; None if the table plays only one."""
        table = self.row.table
        if table is None or table.stage_round.stage.games <= 1:
            return None
        return self.row.number

    @property
    def is_dealt(self) -> bool:
        """Return True at an online table, where no die can fall on the floor."""
        return self.row.open_game.sheet.version == ONLINE

    @property
    def caller(self) -> str:
        """Return the name of the seat that called; empty if a phone at the table called."""
        return "" if self.seat is None else self.names[self.seat]


def event_calls(event: Event) -> list[OpenCall]:
    """Return the open calls at the tables of an event, the oldest first. Two queries."""
    rows = _with_table().filter(**{EVENT: event}).exclude(PLAYED).exclude(ABANDONED)
    return _calls_of_rows(event.club_id, _with_call(rows))


def club_calls(club: Club) -> list[OpenCall]:
    """Return the open calls of a club, at its events and in games without a table, the oldest
    first. Three queries."""
    at_tables, without_table = _games_under_arbiters(club)
    rows = [
        *_with_call(at_tables.select_related(SHEET, *TABLE)),
        *_with_call(without_table.select_related(SHEET, *SEASON)),
    ]
    return _calls_of_rows(club.pk, rows)


def calls_count(club: Club) -> int:
    """Count the open calls of a club. One query."""
    at_tables, without_table = (
        rows.filter(CALLED).values("pk") for rows in _games_under_arbiters(club)
    )
    return at_tables.union(without_table, all=True).count()


def _with_table() -> QuerySet[TableOpenGame]:
    return TableOpenGame.objects.select_related(SHEET, *TABLE)


def _with_season() -> QuerySet[SeasonOpenGame]:
    return SeasonOpenGame.objects.select_related(SHEET, *SEASON)


def _games_under_arbiters(club: Club) -> tuple[QuerySet[Any], QuerySet[Any]]:
    at_tables = TableOpenGame.objects.filter(**{f"{EVENT}__club": club})
    at_tables = at_tables.exclude(PLAYED).exclude(ABANDONED)
    at_tables = at_tables.exclude(**{f"{EVENT}__status": Event.Status.CANCELLED})
    without_table = SeasonOpenGame.objects.filter(season__club=club).exclude(ABANDONED)
    return at_tables, without_table


def _with_call(rows: QuerySet[Any]) -> QuerySet[Any]:
    entries = SheetEntry.objects.filter(sheet=OuterRef("open_game__sheet"), act="call")
    call = entries.order_by("-number")[:1]
    with_call: QuerySet[Any] = rows.filter(CALLED).annotate(
        handles=HANDLES,
        call_number=Subquery(call.values("number")),
        call_made_at=Subquery(call.values("made_at")),
        call_seat=Subquery(call.values("seat")),
    )
    return with_call


def _calls_of_rows(club_id: int, rows: Iterable[Any]) -> list[OpenCall]:
    rows = list(rows)
    if not rows:
        return []
    names = names_of_handles(club_id, {handle for row in rows for handle in row.handles})
    calls = []
    for row in rows:
        call = OpenCall(
            row=row,
            number=row.call_number,
            round_number=row.open_game.sheet.state["call"],
            called_at=row.call_made_at,
            seat=row.call_seat,
            names=[names.get(handle.lower(), handle) for handle in row.handles],
        )
        calls.append(call)
    return sorted(calls, key=lambda call: (call.called_at, call.row.pk))


def calls_version(calls: Iterable[OpenCall]) -> str:
    """Return the version of a list of calls, for its stream."""
    return ".".join(f"{call.row.pk}-{call.number}" for call in calls) or "none"


def call_for(viewer: Viewer, open_game: str) -> ClubOpenGame:
    """Return an open game by its public id, with its table or season and its sheet, if the viewer
    may rule there. It needn't have an open call.

    Raise `ObjectDoesNotExist`.
    """
    at_table = _with_table().filter(open_game__public_id=open_game).first()
    if at_table is not None:
        return with_right(viewer, at_table, "league.rule_at_table")
    without_table = _with_season().get(open_game__public_id=open_game)
    return with_right(viewer, without_table, "league.rule_at_table")


def game_row(open_game: int) -> ClubOpenGame | None:
    """Return an open game by its row id, with its table or season and its sheet; None for a
    friendly game."""
    at_table = _with_table().filter(pk=open_game).first()
    return at_table or _with_season().filter(pk=open_game).first()


def open_call(row: ClubOpenGame) -> OpenCall | None:
    """Return the open call at an open game; None if there is no call. Two queries."""
    rows: QuerySet[Any] = _with_table() if row.table else _with_season()
    calls = _calls_of_rows(row.club.pk, _with_call(rows.filter(pk=row.pk)))
    return calls[0] if calls else None


def call_at(open_game: str) -> OpenCall | None:
    """Return the open call at an open game, by its public id; None if there is none."""
    row_id = OpenGame.objects.filter(public_id=open_game).values_list("pk", flat=True).first()
    if row_id is None:
        return None
    row = game_row(row_id)
    return open_call(row) if row is not None else None


def ruling_fault(row: ClubOpenGame, ruler: Writer) -> Illegal | None:
    """Return why an account can't rule at an open game: it sits there (`at_the_table`), or wrote
    on one of the game's sheets (`entered_it`). None if it can."""
    if seat_of(row, ruler) is not None:
        return AT_THE_TABLE
    is_of_game = Q(sheet__open_game=row.open_game)
    if row.table is not None:
        # a game at a table may have further sheets
        is_of_game = Q(
            sheet__open_game__table_open_game__table=row.table,
            sheet__open_game__table_open_game__number=row.number,
        )
    entries = SheetEntry.objects.filter(is_of_game, account=ruler.account_id).exclude(
        act__in=ASIDES
    )
    return ENTERED_IT if entries.exists() else None


@lru_cache(maxsize=10_000)
def club_of_open_game(open_game: str) -> int | None:
    """Return the row id of the club of an open game, given by public id; None for a friendly game.
    The club never changes, so each game is queried once."""
    columns = OpenGame.objects.filter(public_id=open_game).values_list(*CLUB_OF_OPEN_GAME).first()
    # one column for each way from a game to its club
    return next((club for club in columns or () if club is not None), None)
