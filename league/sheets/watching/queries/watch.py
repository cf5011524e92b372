"""What is watched of open games: a table, and the tables of an event's running rounds."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from engine.grouping import lists_by_key
from engine.record.header import read_header
from engine.sheet.entry import ASIDES
from engine.sheet.sheet import resume
from engine.sheet.versions import ONLINE
from games.domain.round import rounds_of
from games.domain.turn import sheets_after, turns_of
from games.models import OpenSheet, SheetEntry
from games.queries.open_game import HANDLES, sheet_folded
from games.queries.play_again import games_played_again
from league.core import sql
from league.core.player.queries.player import names_of_handles
from league.events.event.models import Event
from league.sheets.sheet.domain.table_now import TableNow, table_now
from league.sheets.sheet.models import TableOpenGame
from league.stages.round.models import StageRound
from league.stages.stage.domain.facts import DRAWN
from league.stages.stage.domain.table_name import number_of, table_name
from league.stages.stage.models import Stage
from league.stages.table.models import Table, TableGame, TableSeat
from league.standings.ranked_game.queries.provisional import is_provisional
from league.standings.ranking.models import Ranking
from league.standings.ranking.queries.after import seat_gains

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

SHEET = "open_game__sheet"
HEARD = F("open_game__sheet__heard_at")
PLAYED = Exists(TableGame.objects.filter(table=OuterRef("table"), number=OuterRef("number")))
NEWEST = ("table_id", HEARD.desc(nulls_last=True), "-number", "-edition")
"""Of a table's games the one that was written last, or opened last if nothing is written yet."""


def seen_games() -> QuerySet[TableOpenGame]:
    """Return the open games that everybody may see who sees their tables; without sheets of a game
    that came otherwise, and of one that isn't played again after all."""
    unsealed = Q(open_game__sheet__sealed=None)
    again = Exists(games_played_again().filter(open_game=OuterRef("open_game")))
    return TableOpenGame.objects.filter(again | ~(PLAYED & unsealed), concealed=False)


class SheetState(NamedTuple):
    """When the sheet of a table was heard last, and the public id of its game if that is over and
    isn't sealed."""

    heard_at: datetime | None
    waiting: str


def tables_opened(tables: Iterable[str]) -> dict[str, SheetState]:
    """Return the state of these tables' newest sheets, by the tables' public ids; those alone that
    have one."""
    rows = TableOpenGame.objects.filter(table__public_id__in=list(tables)).order_by(
        HEARD.asc(nulls_first=True)
    )
    waiting = seen_games().filter(open_game__sheet__over=True, open_game__sheet__sealed=None)
    unsealed = When(pk__in=waiting.values("pk"), then="open_game__public_id")
    columns = ("table__public_id", "open_game__sheet__heard_at", Case(unsealed, default=Value("")))
    return {table: SheetState(*state) for table, *state in rows.values_list(*columns)}


def event_open_games(event: Event) -> QuerySet[TableOpenGame]:
    """Return the games of an event's tables that were ever opened."""
    return TableOpenGame.objects.filter(table__stage_round__stage__event=event)


@lru_cache(maxsize=10_000)
def table_and_event(open_game: str) -> tuple[str | None, str | None]:
    """Return the table of an open game, and its event, by their public ids; None for a game of no
    table. They stay what they are, so each game is looked up once."""
    rows = TableOpenGame.objects.filter(open_game__public_id=open_game)
    return rows.values_list(
        "table__public_id", "table__stage_round__stage__event__public_id"
    ).first() or (None, None)


class WatchedTable(NamedTuple):
    """What a table has come to, and what its live page goes by: how many entries there are on its
    sheets, how many of those are `over` and `sealed`, whether one is written `unseen`, and to how
    many results seats object; how its round's stage and the season's ranking stand; and who
    confirms its games."""

    pk: int
    public_id: str
    finished: bool
    length: int
    over: int
    sealed: int
    unseen: bool
    provisional: int
    stage_version: int
    ranking: int
    ranking_version: int
    club: int
    confirmation: StrOrPromise


def watched_table(public_id: str) -> WatchedTable:
    """Read of a table what changes while it is watched, in few columns: this is asked after each
    entry. Raise `Table.DoesNotExist`."""
    for *table, confirmation in _watched_tables(public_id):
        return WatchedTable._make([*table, Event.Confirmer(confirmation).label])
    raise Table.DoesNotExist


def table_version(table: WatchedTable) -> str:
    """Return the version of what everybody sees of a table: its entries, and from the end of a game
    on all that follows."""
    if not (table.sealed or table.finished):
        return _written_so_far(table)
    return f"{_written_so_far(table)}-{table.stage_version}-{table.ranking_version}"


def _written_so_far(table: Any) -> str:
    """Return the version of what everybody sees of a table's sheets; of one that is written unseen,
    that it is; and to how many of its results seats object."""
    unseen = "u" if table.unseen else ""
    objected = f"o{table.provisional}" if table.provisional else ""
    return f"{table.length + table.sealed}{unseen}{objected}"


@sql.KeptQuery
def _watched_tables(public_id: str) -> QuerySet[Any, tuple[Any, ...]]:
    event = "stage_round__stage__event"
    come_to = (
        "stage_round__stage__version",
        f"{event}__season__ranking",
        f"{event}__season__ranking__version",
    )
    columns = (
        "pk",
        "public_id",
        "finished",
        "length",
        "over",
        "sealed",
        "unseen",
        "provisional",
        *come_to,
    )
    tables = _counted(Table.objects.filter(public_id=public_id))
    return tables.values_list(*columns, f"{event}__club", f"{event}__confirmation")


def watched_event(public_id: str) -> Event:
    """Return an event with its club and season. Raise `Event.DoesNotExist`."""
    return Event.objects.select_related("season", "club").get(public_id=public_id)


def event_version(event: Event) -> str:
    """Read the version of what everybody sees of an event's running tables, by one query."""
    tables = list(running_tables(event))
    entries = sum(table.length + table.sealed for table in tables)
    stages = sum(
        {table.stage_round.stage_id: table.stage_round.stage.version for table in tables}.values()
    )
    objected = sum(table.provisional for table in tables)
    return f"{entries}-{stages}-{objected}"


def running_tables(event: Event) -> QuerySet[Any]:
    """Return the tables of an event's running rounds, as `watched_table` has one: of rounds that
    were all drawn at once those of the first that waits for a result."""
    waiting = StageRound.objects.filter(
        stage=OuterRef("stage_round__stage"), ahead=True, tables__finished=False
    )
    first = (
        waiting.filter(status=StageRound.Status.PUBLISHED)
        .order_by()
        .values("stage")
        .annotate(first=Min("number"))
    )
    tables = Table.objects.select_related("stage_round__stage").filter(
        Q(stage_round__ahead=False) | Q(stage_round__number=Subquery(first.values("first"))),
        stage_round__stage__event=event,
        stage_round__stage__status=Stage.Status.RUNNING,
        stage_round__status=StageRound.Status.PUBLISHED,
    )
    return _counted(tables).order_by("stage_round__stage__number", "number", "stage_round__number")


def _counted(tables: QuerySet[Table]) -> QuerySet[Any]:
    """Tables with what stands on their sheets, counted beside them: to group by all that comes with
    a table takes the database three times as long."""
    open_games = TableOpenGame.objects.filter(table=OuterRef("pk")).order_by()
    counted = open_games.values("table").annotate(
        length=Sum(f"{SHEET}__length", filter=Q(concealed=False)),
        over=Count(SHEET, filter=Q(concealed=False, open_game__sheet__over=True)),
        sealed=Count(f"{SHEET}__sealed"),
    )
    games = TableGame.objects.filter(is_provisional("game"), table=OuterRef("pk")).order_by()
    objected = games.values("table").annotate(count=Count("pk"))
    return tables.annotate(
        length=Coalesce(Subquery(counted.values("length")), 0),
        over=Coalesce(Subquery(counted.values("over")), 0),
        sealed=Coalesce(Subquery(counted.values("sealed")), 0),
        unseen=Exists(open_games.filter(concealed=True).exclude(PLAYED)),
        provisional=Coalesce(Subquery(objected.values("count")), 0),
    )


def table_facts(table: WatchedTable) -> dict[str, Any]:
    """Return what a table's live page shows: `now`, a TableNow, and `open_game`, the public id of
    the game being written (both None before a game is opened, and while two write it `unseen`);
    the whole game's `rounds` (Bluff), or `turns` and `view` (Lügen-Kniffel); `sealed`, the game's
    public id, and the gains that it has `brought` in the season's ranking; `following`, where the
    table's players play next. Three queries while it is written, at most eight."""
    facts: dict[str, Any] = {
        "table": table,
        "now": None,
        "open_game": None,
        "following": following_tables(table.pk) if table.finished else [],
    }
    newest = _newest_games(table.public_id)
    if not newest or table.unseen:
        return facts
    open_game, header, sheet_id, version, heard_at, game, sealed, handles = newest[0]
    facts["open_game"] = open_game
    facts["sealed"] = sealed
    sheet = sheet_folded(sheet_id, read_header(header, handles), version=version)
    record = sheet.whole()
    names = names_of_handles(table.club, record.seats)
    closing = record.kind.round_json(sheet.rounds[-1]) if sheet.rounds else None
    facts["now"] = table_now(sheet, _people(record.seats, names), closing, heard_at)
    if record.kind.name == "bluff":
        facts["rounds"] = rounds_of(record)
    else:
        facts["turns"] = turns_of(record)
        facts["view"] = sheets_after(record, facts["turns"])
    if game:
        facts["brought"] = seat_gains(game, Ranking.objects.get(pk=table.ranking))
    return facts


@sql.KeptQuery
def _newest_games(table: str) -> QuerySet[Any, tuple[Any, ...]]:
    columns = ("public_id", "header", "sheet", "sheet__version", "sheet__heard_at")
    sealed = ("sheet__sealed__game", "sheet__sealed__game__public_id")
    games = seen_games().filter(table__public_id=table).order_by(*NEWEST)
    return games.values_list(*(f"open_game__{column}" for column in (*columns, *sealed)), HANDLES)[
        :1
    ]


def following_tables(table_id: int) -> list[tuple[str, str, str]]:
    """Who of a finished table plays where next, as far as it is published: their names, and the
    table's public id and name. One query."""
    members = TableSeat.objects.filter(table=table_id).values("entry")
    seats = TableSeat.objects.filter(
        entry__in=members, table__finished=False, table__stage_round__status__in=DRAWN
    )
    seats = seats.select_related("table__stage_round__stage", "entry__player").order_by(
        "table__stage_round", "seat"
    )
    return [
        (row.entry.player.name, row.table.public_id, table_name(number_of(row.table)))
        for row in seats
    ]


def running_tiles(event: Event) -> list[dict[str, Any]]:
    """Read how the tables of an event's running rounds stand, as `tile_facts` has it. Five
    queries."""
    tables = [table.public_id for table in running_tables(event)]
    tiles = tile_facts(event, tables)
    return [tiles[table] for table in tables]


def tile_facts(event: Event, tables: Collection[str]) -> dict[str, dict[str, Any]]:
    """Read how some tables of an event stand, by their public ids: `table`, what it is called
    (`name`), the `names` of those who sit there, `now`, a TableNow, once something is written, and
    whether the game `waits` for its seal, or is written `unseen`. Four queries, whatever the games'
    length."""
    seats = TableSeat.objects.filter(table__public_id__in=tables).order_by("table", "seat")
    sitting = lists_by_key(seats.values_list("table", "entry__player__name"))
    entries = SheetEntry.objects.filter(sheet=OuterRef("open_game__sheet"))
    last = entries.exclude(act__in=ASIDES).order_by("-number")[:1]
    rows = (
        seen_games()
        .select_related("open_game__sheet__sealed")
        .exclude(open_game__sheet__heard_at=None)
    )
    rows = rows.filter(table__public_id__in=tables).annotate(
        handles=HANDLES,
        last_act=Subquery(last.values("act")),
        last_value=Subquery(last.values("value")),
    )
    newest = {row.table_id: row for row in rows.order_by(*NEWEST).distinct("table_id")}
    names = names_of_handles(
        event.club_id, {handle for row in newest.values() for handle in row.handles}
    )
    return {
        table.public_id: {
            "table": table,
            "name": table_name(number_of(table)),
            "names": sitting.get(table.pk, []),
            "now": _now(newest[table.pk], names) if table.pk in newest else None,
            "waits": table.pk in newest and _waits(newest[table.pk].open_game.sheet),
            "unseen": table.unseen,
            "provisional": table.provisional,
        }
        for table in _counted(
            Table.objects.select_related("stage_round__stage").filter(public_id__in=tables)
        )
    }


def _waits(sheet: OpenSheet) -> bool:
    """Return True if the game of a sheet is over and isn't sealed."""
    return sheet.over and getattr(sheet, "sealed", None) is None


def _now(row: Any, names: dict[str, str]) -> TableNow:
    """How the table of an open game stands."""
    row_sheet = row.open_game.sheet
    sheet = resume(read_header(row.open_game.header, row.handles), row_sheet.state)
    closing = json.loads(row.last_value) if row.last_act in ("close", "reveal") else None
    if closing and row_sheet.version == ONLINE:
        closing = closing["round"]
    return table_now(sheet, _people(row.handles, names), closing, row_sheet.heard_at)


def _people(handles: Iterable[str], names: dict[str, str]) -> list[tuple[str, str]]:
    """Handles, and what those are called now whom they find."""
    return [(handle, names.get(handle.lower(), handle)) for handle in handles]
