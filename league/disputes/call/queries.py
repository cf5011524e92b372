"""Open calls for the arbiter, and who may rule on them."""

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
    say("you sit at this table: another arbiter rules here"),
)
ENTERED_IT: Final = Illegal(
    "entered_it",
    say("you wrote on this sheet what was played: another arbiter rules here"),
)
EVENT: Final = "table__stage_round__stage__event"
CALLED: Final = Q(open_game__sheet__state__has_key="call", open_game__sheet__sealed=None)
"""An open game at which a call waits, as the index of sheets has it."""

LEFT: Final = Q(open_game__online_table__status=OnlineTable.Status.ABANDONED)
"""An open game of an online table that was left."""


class OpenCall(NamedTuple):
    """A call that waits at an open game (`row`): the `number` of its entry, in which round, since
    when, and the seat that called at an online table, else None. `names`: those who sit there, in
    seat order."""

    row: ClubOpenGame
    number: int
    round_number: int
    called_at: datetime
    seat: int | None
    names: list[str]

    @property
    def place(self) -> str:
        """Where the game is played, in words: “Table 4”, or the season of a game without a
        table."""
        if self.row.table is None:
            return self.row.season.name
        return table_name(number_of(self.row.table))

    @property
    def game_number(self) -> int | None:
        """The number of the game at its table, where the table plays several; else None."""
        table = self.row.table
        return self.row.number if table is not None and table.stage_round.stage.games > 1 else None

    @property
    def is_dealt(self) -> bool:
        """True at an online table, where no die can fall on the floor."""
        return self.row.open_game.sheet.version == ONLINE

    @property
    def caller(self) -> str:
        """The name of the seat that called; empty where it is a phone at the table."""
        return "" if self.seat is None else self.names[self.seat]


def event_calls(event: Event) -> list[OpenCall]:
    """Read the calls that wait at the tables of an event, the oldest first. Two queries."""
    rows = TableOpenGame.objects.select_related(SHEET, *TABLE).filter(**{EVENT: event})
    return _calls(event.club_id, _waiting(rows.exclude(PLAYED).exclude(LEFT)))


def club_calls(club: Club) -> list[OpenCall]:
    """Read the calls that wait in a club, at its events and in games without a table, the oldest
    first. Three queries."""
    at_tables, without_table = _of_club(club)
    at_tables = at_tables.select_related(SHEET, *TABLE)
    return _calls(
        club.pk, [*_waiting(at_tables), *_waiting(without_table.select_related(SHEET, *SEASON))]
    )


def calls_count(club: Club) -> int:
    """Count the calls that wait in a club. One query."""
    at_tables, without_table = (rows.filter(CALLED).values("pk") for rows in _of_club(club))
    return at_tables.union(without_table, all=True).count()


def _of_club(club: Club) -> tuple[QuerySet[Any], QuerySet[Any]]:
    """The open games of a club at tables of events, and those without a table, as far as somebody
    may rule there."""
    at_tables = (
        TableOpenGame.objects.filter(**{f"{EVENT}__club": club}).exclude(PLAYED).exclude(LEFT)
    )
    still_on = at_tables.exclude(**{f"{EVENT}__status": Event.Status.CANCELLED})
    return still_on, SeasonOpenGame.objects.filter(season__club=club).exclude(LEFT)


def _waiting(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Of open games those at which a call waits, with the entry that called."""
    calls = SheetEntry.objects.filter(sheet=OuterRef("open_game__sheet"), act="call").order_by(
        "-number"
    )[:1]
    called = {
        f"call_{name}": Subquery(calls.values(name)) for name in ("number", "made_at", "seat")
    }
    waiting: QuerySet[Any] = rows.filter(CALLED).annotate(handles=HANDLES, **called)
    return waiting


def _calls(club_id: int, rows: Iterable[Any]) -> list[OpenCall]:
    rows = list(rows)
    names = (
        names_of_handles(club_id, {handle for row in rows for handle in row.handles})
        if rows
        else {}
    )
    calls = [
        OpenCall(
            row,
            row.call_number,
            row.open_game.sheet.state["call"],
            row.call_made_at,
            row.call_seat,
            [names.get(handle.lower(), handle) for handle in row.handles],
        )
        for row in rows
    ]
    return sorted(calls, key=lambda call: (call.called_at, call.row.pk))


def calls_version(calls: Iterable[OpenCall]) -> str:
    """The version of a list of calls, for its stream."""
    return ".".join(f"{call.row.pk}-{call.number}" for call in calls) or "none"


def call_for(viewer: Viewer, open_game: str) -> ClubOpenGame:
    """An open game with its table or season and its sheet, for those who may rule there, whether a
    call waits or not.

    Raises `ObjectDoesNotExist`.
    """
    at_table = (
        TableOpenGame.objects.select_related(SHEET, *TABLE)
        .filter(open_game__public_id=open_game)
        .first()
    )
    if at_table is not None:
        return with_right(viewer, at_table, "league.rule_at_table")
    row = SeasonOpenGame.objects.select_related(SHEET, *SEASON).get(open_game__public_id=open_game)
    return with_right(viewer, row, "league.rule_at_table")


def game_row(open_game: int) -> ClubOpenGame | None:
    """The open game of a row id, with its table or season and its sheet; None for a friendly
    one."""
    at_table = TableOpenGame.objects.select_related(SHEET, *TABLE).filter(pk=open_game).first()
    return (
        at_table
        or SeasonOpenGame.objects.select_related(SHEET, *SEASON).filter(pk=open_game).first()
    )


def open_call(row: ClubOpenGame) -> OpenCall | None:
    """Read the call that waits at an open game; None if none does. Two queries."""
    rows = _waiting(
        type(row).objects.select_related(SHEET, *(TABLE if row.table else SEASON)).filter(pk=row.pk)
    )
    return next(iter(_calls(row.club.pk, rows)), None)


def call_at(open_game: str) -> OpenCall | None:
    """Read the call that waits at an open game, by its public id; None if none does."""
    game = OpenGame.objects.filter(public_id=open_game).values_list("pk", flat=True).first()
    row = game_row(game) if game is not None else None
    return open_call(row) if row is not None else None


def ruling_fault(row: ClubOpenGame, ruler: Writer) -> Illegal | None:
    """Return why an account doesn't rule at an open game: it sits there (`at_the_table`), or wrote
    down what was played (`entered_it`), also on the other of two sheets; None if it may."""
    if seat_of(row, ruler) is not None:
        return AT_THE_TABLE
    sheet = Q(sheet__open_game=row.open_game)
    if row.table is not None:
        sheet = Q(
            sheet__open_game__table_open_game__table=row.table,
            sheet__open_game__table_open_game__number=row.number,
        )
    entries = SheetEntry.objects.filter(sheet, account=ruler.account_id).exclude(act__in=ASIDES)
    return ENTERED_IT if entries.exists() else None


@lru_cache(maxsize=10_000)
def club_of_open_game(open_game: str) -> int | None:
    """Return the club that plays an open game, by row id; None for a friendly game. It stays the
    same, so each game is looked up once."""
    clubs = OpenGame.objects.filter(public_id=open_game).values_list(*CLUB_OF_OPEN_GAME)
    return next((club for club in clubs.first() or () if club is not None), None)
