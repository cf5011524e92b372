"""What is watched of open games: a table, and the tables of an event's running rounds."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, Exists, F, Min, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from engine.record.header import read_header
from engine.sheet.sheet import resume
from games.domain.round import PlayedRound, rounds_of
from games.domain.turn import PlayedTurn, SheetsView, sheets_after, turns_of
from games.models import OpenSeat, SheetEntry
from games.queries.open_game import sheet_written
from league.clubs.models import User
from league.clubs.queries.access import Viewer
from league.clubs.queries.player import names_of_handles
from league.events.models import Event
from league.events.queries.access import visible_events
from league.rankings.queries.after import Brought, brought_by
from league.seasons.models import Season
from league.sheets.domain.table_now import TableNow, table_now
from league.sheets.models import TableOpenGame
from league.stages.models import Stage
from league.tables.domain.place import number_of, table_name
from league.tables.domain.stage import DRAWN
from league.tables.models import StageRound, Table, TableSeat

NOBODY = Viewer(AnonymousUser())
OF_SHEET = "open_games__open_game__sheet"
HEARD = F("open_game__sheet__heard_at")
NEWEST = ("table_id", HEARD.desc(nulls_last=True), "-number", "-edition")
"""Of a table's games the one that was written last, or opened last if nothing is written yet."""


def link_digest(season: Season) -> str:
    """A sign of the link by which a season is seen, which doesn't tell the link."""
    return sha256(season.link_token.encode()).hexdigest()[:16]


def audience_of(viewer: Viewer, event: Event) -> tuple[int | None, str]:
    """Who looks at an event that comes with its season, as the signed address of a stream says it."""
    season = event.season
    return viewer.user.pk, link_digest(season) if season.link_token in viewer.keys else ""


def viewer_behind(event: Event, account: int | None, link: str) -> Viewer:
    """Who was given the address of a stream, with the rights of now."""
    user = User.objects.filter(pk=account, is_active=True).first() or AnonymousUser()
    season = event.season
    return Viewer(user, frozenset({season.link_token} if link == link_digest(season) else ()))


def eyes(event: Event) -> str:
    """Tell what changes with who may see an event that isn't everybody's."""
    return f"{event.status} {event.season.visibility} {link_digest(event.season)}"


def table_and_event(open_game: str) -> tuple[str | None, str | None]:
    """The table of an open game, and its event, by their public ids; None for a game of no table."""
    rows = TableOpenGame.objects.filter(open_game__public_id=open_game)
    ids = rows.values_list("table__public_id", "table__stage_round__stage__event__public_id").first()
    return ids or (None, None)


def tables_opened(tables: Iterable[str]) -> dict[str, datetime | None]:
    """When the sheets of these tables were heard last, by the tables' public ids; those alone that have one."""
    rows = TableOpenGame.objects.filter(table__public_id__in=list(tables)).order_by(HEARD.asc(nulls_first=True))
    return dict(rows.values_list("table__public_id", "open_game__sheet__heard_at"))


def event_opened(event: Event) -> bool:
    """True if a game of an event's tables was ever opened."""
    return TableOpenGame.objects.filter(table__stage_round__stage__event=event).exists()


def watched_table(public_id: str) -> Any:
    """A table with `length` and `sealed` of all its sheets, and `public`: everybody may see it; with event and season.
    Raises `Table.DoesNotExist`."""
    everybodys = Exists(visible_events(NOBODY).filter(pk=OuterRef("stage_round__stage__event")))
    tables = Table.objects.select_related("stage_round__stage__event__season__ranking")
    return _counted(tables).annotate(public=everybodys & Q(stage_round__status__in=DRAWN)).get(public_id=public_id)


def watched_event(public_id: str) -> Any:
    """An event with its season, and `public`. Raises `Event.DoesNotExist`."""
    everybodys = Exists(visible_events(NOBODY).filter(pk=OuterRef("pk")))
    return Event.objects.select_related("season", "club").annotate(public=everybodys).get(public_id=public_id)


def running_tables(event: Event) -> QuerySet[Any]:
    """The tables of an event's running rounds, with `length` and `sealed`: of rounds that were all drawn at once those
    of the first that waits for a result."""
    waiting = StageRound.objects.filter(stage=OuterRef("stage_round__stage"), ahead=True, tables__finished=False)
    first = waiting.filter(status=StageRound.Status.PUBLISHED).order_by().values("stage").annotate(first=Min("number"))
    tables = Table.objects.select_related("stage_round__stage").filter(
        Q(stage_round__ahead=False) | Q(stage_round__number=Subquery(first.values("first"))),
        stage_round__stage__event=event,
        stage_round__stage__status=Stage.Status.RUNNING,
        stage_round__status=StageRound.Status.PUBLISHED,
    )
    return _counted(tables).order_by("stage_round__stage__number", "number", "stage_round__number")


def _counted(tables: QuerySet[Table]) -> QuerySet[Any]:
    return tables.annotate(length=Coalesce(Sum(f"{OF_SHEET}__length"), 0), sealed=Count(f"{OF_SHEET}__sealed"))


class NextTable(NamedTuple):
    """Somebody of a table, and the table where they play next."""

    name: str
    table: Table

    @property
    def table_name(self) -> str:
        """What everybody calls that table."""
        return table_name(number_of(self.table))


@dataclass(frozen=True, slots=True)
class WatchedTable:
    """A table as its own live page shows it. `now`: None while no game of it was opened. `rounds` (Bluff), or `turns`
    and `view` (Lügen-Kniffel) are of the whole game. `brought`: what the sealed game (`sealed`) changed in the season's
    ranking, once it is counted. `number`: that of the game at the table."""

    table: Table
    number: int = 1
    now: TableNow | None = None
    rounds: tuple[PlayedRound, ...] = ()
    turns: tuple[PlayedTurn, ...] = ()
    view: SheetsView | None = None
    sealed: str = ""
    brought: tuple[Brought, ...] = ()
    following: tuple[NextTable, ...] = ()

    @property
    def nothing_yet(self) -> bool:
        """True if nothing of the table's game is written."""
        return self.now is None or self.now.heard_at is None


class WatchedTile(NamedTuple):
    """A table as one of many: `now`, or who sits there while nothing is written."""

    table: Table
    names: tuple[str, ...]
    now: TableNow | None

    @property
    def name(self) -> str:
        """What everybody calls the table."""
        return table_name(number_of(self.table))


def table_facts(public_id: str) -> WatchedTable:
    """Read all that a table's live page shows. At most nine queries."""
    tables = Table.objects.select_related(
        "stage_round__stage__event__club", "stage_round__stage__event__season__ranking"
    )
    table = tables.get(public_id=public_id)
    rows = TableOpenGame.objects.select_related("open_game__sheet__sealed__game").filter(table=table)
    row = rows.order_by(*NEWEST).first()
    if row is None:
        return WatchedTable(table)
    event = table.stage_round.stage.event
    sheet = sheet_written(row.open_game.public_id).sheet
    record = sheet.whole()
    handles = list(record.seats)
    names = names_of_handles(event.club_id, handles)
    people = [(handle, names.get(handle.lower(), handle)) for handle in handles]
    bluff = record.kind.name == "bluff"
    turns = () if bluff else tuple(turns_of(record))
    closing = record.kind.round_json(sheet.rounds[-1]) if sheet.rounds else None
    sealed = getattr(row.open_game.sheet, "sealed", None)
    return WatchedTable(
        table=table,
        number=row.number,
        now=table_now(sheet, people, closing, row.open_game.sheet.heard_at),
        rounds=tuple(rounds_of(record)) if bluff else (),
        turns=turns,
        view=None if bluff else sheets_after(record, turns),
        sealed=sealed.game.public_id if sealed else "",
        brought=tuple(brought_by(sealed.game_id, event.season.ranking)) if sealed else (),
        following=_following(table) if table.finished else (),
    )


def _following(table: Table) -> tuple[NextTable, ...]:
    """Where those of a table play next, as far as it is published."""
    here = TableSeat.objects.filter(table=table).values("entry")
    seats = TableSeat.objects.filter(entry__in=here, table__finished=False, table__stage_round__status__in=DRAWN)
    seats = seats.exclude(table=table).select_related("table__stage_round__stage", "entry__player")
    rows = seats.order_by("table__stage_round__number", "table__number", "seat")
    return tuple(NextTable(seat.entry.player.name, seat.table) for seat in rows)


def tile_facts(event: Event, tables: Collection[str]) -> dict[str, WatchedTile]:
    """Read how some tables of an event stand, by their public ids; four queries, whatever their games' length."""
    shown = Table.objects.select_related("stage_round__stage").filter(public_id__in=tables)
    seats = TableSeat.objects.filter(table__public_id__in=tables).order_by("table", "seat")
    sitting: dict[int, list[str]] = {}
    for table_id, name in seats.values_list("table", "entry__player__name"):
        sitting.setdefault(table_id, []).append(name)
    open_seats = OpenSeat.objects.filter(open_game=OuterRef("open_game")).order_by("number")
    last = SheetEntry.objects.filter(sheet=OuterRef("open_game__sheet")).order_by("-number")
    rows = TableOpenGame.objects.select_related("open_game__sheet").filter(table__public_id__in=tables)
    rows = rows.annotate(
        handles=ArraySubquery(open_seats.values("handle")),
        closing=Subquery(last.filter(act="close", number=OuterRef("open_game__sheet__length") - 1).values("value")[:1]),
    )
    newest = {row.table_id: row for row in rows.order_by(*NEWEST).distinct("table_id")}
    handles = {handle for row in newest.values() for handle in row.handles}
    names = names_of_handles(event.club_id, handles) if handles else {}
    return {
        table.public_id: WatchedTile(table, tuple(sitting.get(table.pk, ())), _now(newest.get(table.pk), names))
        for table in shown
    }


def _now(row: Any, names: dict[str, str]) -> TableNow | None:
    """How the table of an open game stands; None without one of which something is written."""
    if row is None or not row.open_game.sheet.length:
        return None
    sheet = resume(read_header(row.open_game.header, row.handles), row.open_game.sheet.state)
    people = [(handle, names.get(handle.lower(), handle)) for handle in row.handles]
    return table_now(sheet, people, json.loads(row.closing) if row.closing else None, row.open_game.sheet.heard_at)
