"""What live pages show of open games: one table, or all tables of an event's running rounds."""

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
"""When the last entry of a table's open game came in; None before the first."""
PLAYED = Exists(TableGame.objects.filter(table=OuterRef("table"), number=OuterRef("number")))
"""Whether the table has a result for the game with this number."""
NEWEST = ("table_id", HEARD.desc(nulls_last=True), "-number", "-edition")
"""The order that puts first, of each table's games, the one that was written on last, or opened
last if nothing is written yet."""


def visible_open_games() -> QuerySet[TableOpenGame]:
    """Return the open games that are shown to everybody who may see their tables.

    Leave out concealed ones, and unsealed ones whose result was entered another way, unless the
    game is being played again now."""
    unsealed = Q(open_game__sheet__sealed=None)
    is_played_again = Exists(games_played_again().filter(open_game=OuterRef("open_game")))
    return TableOpenGame.objects.filter(is_played_again | ~(PLAYED & unsealed), concealed=False)


class SheetState(NamedTuple):
    """The state of a table's newest sheet: when its last entry came in, and, if the game is over
    but not sealed, the public id of the open game (`waiting`); else an empty string."""

    heard_at: datetime | None
    waiting: str


def newest_sheet_states(table_ids: Iterable[str]) -> dict[str, SheetState]:
    """Return the state of each table's newest sheet, by the table's public id. Tables without a
    sheet are left out. One query."""
    # The newest come last, because a later row of a table replaces the earlier ones in the dict.
    rows = TableOpenGame.objects.filter(table__public_id__in=list(table_ids)).order_by(
        HEARD.asc(nulls_first=True)
    )
    waiting = visible_open_games().filter(
        open_game__sheet__over=True, open_game__sheet__sealed=None
    )
    id_if_waiting = Case(
        When(pk__in=waiting.values("pk"), then="open_game__public_id"), default=Value("")
    )
    columns = ("table__public_id", "open_game__sheet__heard_at", id_if_waiting)
    return {table: SheetState(*state) for table, *state in rows.values_list(*columns)}


def event_open_games(event: Event) -> QuerySet[TableOpenGame]:
    """Return the games of an event's tables that were ever opened."""
    return TableOpenGame.objects.filter(table__stage_round__stage__event=event)


@lru_cache(maxsize=10_000)
def table_and_event(open_game: str) -> tuple[str | None, str | None]:
    """Return the public ids of an open game's table and event, or two Nones if it has no table.
    They never change, so they are cached by the open game's public id."""
    rows = TableOpenGame.objects.filter(open_game__public_id=open_game)
    return rows.values_list(
        "table__public_id", "table__stage_round__stage__event__public_id"
    ).first() or (None, None)


class WatchedTable(NamedTuple):
    """A table with the counts and versions on which its live page depends.

    `length`: the number of entries on all its sheets; `over` and `sealed`: the number of sheets
    whose game is over, or sealed; `unseen`: whether two writers each keep a sheet that nobody else
    sees yet; `provisional`: the number of results that are provisional because a seat objects.
    `ranking` and `club`: row ids; `confirmation`: who confirms the table's games, in words."""

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
    """Return a table by public id, with what can change while it is watched. One query of few
    columns, since it is sent after each entry. Raise `Table.DoesNotExist`."""
    for *columns, confirmation in _watched_tables(public_id):
        return WatchedTable._make([*columns, Event.Confirmer(confirmation).label])
    raise Table.DoesNotExist


def table_version(table: WatchedTable) -> str:
    """Return the version of a table's public page. Once a game is sealed or the table is finished,
    it also changes with the stage and the ranking."""
    if not (table.sealed or table.finished):
        return _sheets_version(table)
    return f"{_sheets_version(table)}-{table.stage_version}-{table.ranking_version}"


def _sheets_version(table: WatchedTable) -> str:
    unseen = "u" if table.unseen else ""
    provisional = f"o{table.provisional}" if table.provisional else ""
    return f"{table.length + table.sealed}{unseen}{provisional}"


@sql.KeptQuery
def _watched_tables(public_id: str) -> QuerySet[Any, tuple[Any, ...]]:
    event = "stage_round__stage__event"
    columns = (
        "pk",
        "public_id",
        "finished",
        "length",
        "over",
        "sealed",
        "unseen",
        "provisional",
        "stage_round__stage__version",
        f"{event}__season__ranking",
        f"{event}__season__ranking__version",
        f"{event}__club",
        f"{event}__confirmation",
    )
    tables = _with_sheet_counts(Table.objects.filter(public_id=public_id))
    return tables.values_list(*columns)


def watched_event(public_id: str) -> Event:
    """Return an event with its club and season. Raise `Event.DoesNotExist`."""
    return Event.objects.select_related("season", "club").get(public_id=public_id)


def event_version(event: Event) -> str:
    """Return the version of what everybody sees of an event's running tables. One query."""
    tables = list(running_tables(event))
    entry_count = sum(table.length + table.sealed for table in tables)
    stage_versions = {
        table.stage_round.stage_id: table.stage_round.stage.version for table in tables
    }
    provisional_count = sum(table.provisional for table in tables)
    return f"{entry_count}-{sum(stage_versions.values())}-{provisional_count}"


def running_tables(event: Event) -> QuerySet[Any]:
    """Return the tables of an event's running rounds, with the counts of their sheets. If all
    rounds of a stage were drawn ahead, only the first with an unfinished table is running."""
    unfinished_rounds = StageRound.objects.filter(
        stage=OuterRef("stage_round__stage"), ahead=True, tables__finished=False
    )
    first_unfinished = (
        unfinished_rounds.filter(status=StageRound.Status.PUBLISHED)
        .order_by()
        .values("stage")
        .annotate(first=Min("number"))
    )
    is_first_unfinished = Q(stage_round__number=Subquery(first_unfinished.values("first")))
    tables = Table.objects.select_related("stage_round__stage").filter(
        Q(stage_round__ahead=False) | is_first_unfinished,
        stage_round__stage__event=event,
        stage_round__stage__status=Stage.Status.RUNNING,
        stage_round__status=StageRound.Status.PUBLISHED,
    )
    return _with_sheet_counts(tables).order_by(
        "stage_round__stage__number", "number", "stage_round__number"
    )


def _with_sheet_counts(tables: QuerySet[Table]) -> QuerySet[Any]:
    # Subqueries, because a join would group by all columns of a table: three times as slow.
    open_games = TableOpenGame.objects.filter(table=OuterRef("pk")).order_by()
    sheet_counts = open_games.values("table").annotate(
        length=Sum(f"{SHEET}__length", filter=Q(concealed=False)),
        over=Count(SHEET, filter=Q(concealed=False, open_game__sheet__over=True)),
        sealed=Count(f"{SHEET}__sealed"),
    )
    games = TableGame.objects.filter(is_provisional("game"), table=OuterRef("pk")).order_by()
    provisional_counts = games.values("table").annotate(count=Count("pk"))
    return tables.annotate(
        length=Coalesce(Subquery(sheet_counts.values("length")), 0),
        over=Coalesce(Subquery(sheet_counts.values("over")), 0),
        sealed=Coalesce(Subquery(sheet_counts.values("sealed")), 0),
        unseen=Exists(open_games.filter(concealed=True).exclude(PLAYED)),
        provisional=Coalesce(Subquery(provisional_counts.values("count")), 0),
    )


def table_facts(table: WatchedTable) -> dict[str, Any]:
    """Return the template context of a table's live page. Three queries while a game is written, at
    most eight.

    `now`: a `TableNow`; `open_game`: the public id of the newest open game. Both are None before a
    game is opened, and while two writers keep it `unseen`. `rounds` (Bluff), or `turns` and `view`
    (Lügen-Kniffel): the whole game so far. `sealed`: the public id of the sealed game; `brought`:
    what it changed in the season's ranking. `following`: the players' next tables."""
    facts: dict[str, Any] = {
        "table": table,
        "now": None,
        "open_game": None,
        "following": following_tables(table.pk) if table.finished else [],
    }
    newest_games = _newest_games(table.public_id)
    if not newest_games or table.unseen:
        return facts
    open_game, header, sheet_id, version, heard_at, game, sealed, handles = newest_games[0]
    facts["open_game"] = open_game
    facts["sealed"] = sealed
    sheet = sheet_folded(sheet_id, read_header(header, handles), version=version)
    record = sheet.whole()
    names = names_of_handles(table.club, record.seats)
    last_round = record.kind.round_json(sheet.rounds[-1]) if sheet.rounds else None
    facts["now"] = table_now(sheet, _named(record.seats, names), last_round, heard_at)
    if record.kind.name == "bluff":
        facts["rounds"] = rounds_of(record)
    else:
        facts["turns"] = turns_of(record)
        facts["view"] = sheets_after(record, facts["turns"])
    if game:
        facts["brought"] = seat_gains(game, Ranking.objects.get(pk=table.ranking))
    return facts


@sql.KeptQuery
def _newest_games(table_id: str) -> QuerySet[Any, tuple[Any, ...]]:
    columns = (
        "open_game__public_id",
        "open_game__header",
        "open_game__sheet",
        "open_game__sheet__version",
        "open_game__sheet__heard_at",
        "open_game__sheet__sealed__game",
        "open_game__sheet__sealed__game__public_id",
    )
    games = visible_open_games().filter(table__public_id=table_id).order_by(*NEWEST)
    return games.values_list(*columns, HANDLES)[:1]


def following_tables(table_id: int) -> list[tuple[str, str, str]]:
    """Return the next tables of a finished table's players, as far as they are published: for each
    the player's name, and the table's public id and name. One query."""
    entries = TableSeat.objects.filter(table=table_id).values("entry")
    next_seats = TableSeat.objects.filter(
        entry__in=entries, table__finished=False, table__stage_round__status__in=DRAWN
    )
    next_seats = next_seats.select_related("table__stage_round__stage", "entry__player").order_by(
        "table__stage_round", "seat"
    )
    return [
        (seat.entry.player.name, seat.table.public_id, table_name(number_of(seat.table)))
        for seat in next_seats
    ]


def running_tiles(event: Event) -> list[dict[str, Any]]:
    """Return the facts for the tiles of all tables of an event's running rounds, in the order of
    the tables. Five queries."""
    table_ids = [table.public_id for table in running_tables(event)]
    tiles = tile_facts(event, table_ids)
    return [tiles[table_id] for table_id in table_ids]


def tile_facts(event: Event, table_ids: Collection[str]) -> dict[str, dict[str, Any]]:
    """Return the facts for the tiles of some tables of an event, by the tables' public ids. Four
    queries, however long the games are.

    Each tile has the `table`, with the counts of its sheets, and its `name`; the `names` of the
    seated players; `now`, a `TableNow`, or None before anything is written; and whether the game is
    over and `waits` to be sealed."""
    seats = TableSeat.objects.filter(table__public_id__in=table_ids).order_by("table", "seat")
    player_names = lists_by_key(seats.values_list("table", "entry__player__name"))
    newest_games = {game.table_id: game for game in _newest_written_games(table_ids)}
    handles = {handle for game in newest_games.values() for handle in game.handles}
    names_by_handle = names_of_handles(event.club_id, handles)
    tables = Table.objects.select_related("stage_round__stage").filter(public_id__in=table_ids)
    tiles: dict[str, dict[str, Any]] = {}
    for table in _with_sheet_counts(tables):
        game = newest_games.get(table.pk)
        tiles[table.public_id] = {
            "table": table,
            "name": table_name(number_of(table)),
            "names": player_names.get(table.pk, []),
            "now": None if game is None else _game_now(game, names_by_handle),
            "waits": game is not None and _waits_for_seal(game.open_game.sheet),
            "unseen": table.unseen,
            "provisional": table.provisional,
        }
    return tiles


def _newest_written_games(table_ids: Collection[str]) -> QuerySet[Any]:
    entries = SheetEntry.objects.filter(sheet=OuterRef("open_game__sheet"))
    last_entry = entries.exclude(act__in=ASIDES).order_by("-number")[:1]
    written = visible_open_games().exclude(open_game__sheet__heard_at=None)
    games = written.filter(table__public_id__in=table_ids).annotate(
        handles=HANDLES,
        last_act=Subquery(last_entry.values("act")),
        last_value=Subquery(last_entry.values("value")),
    )
    games = games.select_related("open_game__sheet__sealed")
    return games.order_by(*NEWEST).distinct("table_id")


def _waits_for_seal(sheet: OpenSheet) -> bool:
    return sheet.over and getattr(sheet, "sealed", None) is None


def _game_now(game: Any, names: dict[str, str]) -> TableNow:
    """Return the present state of a game's table, from the stored state of its sheet. `game`: one
    of `_newest_written_games`; `names`: by handle in lower case."""
    stored_sheet = game.open_game.sheet
    sheet = resume(read_header(game.open_game.header, game.handles), stored_sheet.state)
    last_round = json.loads(game.last_value) if game.last_act in ("close", "reveal") else None
    if last_round and stored_sheet.version == ONLINE:
        # An online sheet stores the round beside the proof of its dice.
        last_round = last_round["round"]
    return table_now(sheet, _named(game.handles, names), last_round, stored_sheet.heard_at)


def _named(handles: Iterable[str], names: dict[str, str]) -> list[tuple[str, str]]:
    return [(handle, names.get(handle.lower(), handle)) for handle in handles]
