"""Online tables as programs read them: a table with its game, once for all who look, and then what
each may see."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from django.db.models import Count, F, Q, QuerySet
from django.db.models.functions import Coalesce

from games.queries.online_game import OnlineGame, cups_of, online_game, waiting_since
from games.queries.open_game import sheet_entries
from league.core.account.models import User
from league.core.club.models import Club
from league.core.key.models import ApiKey
from league.play.online_table.models import OnlineSeat, OnlineTable
from league.play.online_table.queries import seats_of, table_deadline
from league.play.program.domain.table import GameRead, SeatSeen, TableSeen, seat_kind
from league.play.turn.queries import turns_of

AT_WORK = (OnlineTable.Status.LOBBY, OnlineTable.Status.PLAYING)
ENDED = (OnlineTable.Status.OVER, OnlineTable.Status.ABANDONED)


class TableRead(NamedTuple):
    """A table, its seats, its game, and the cups of those of its seats for which they were read.
    `deadline`: when the time of the seats to act ends."""

    table: OnlineTable
    seats: Sequence[OnlineSeat]
    game: OnlineGame | None = None
    cups: Mapping[int, Any] = MappingProxyType({})
    deadline: datetime | None = None


class SeatStanding(NamedTuple):
    """Where an account stands at a table: the table's status, the entries of its sheet, and since
    when the table waits for it, None while it doesn't. For seats that are asked all at once that is
    the same moment until they have answered, however many others have (ruling K16)."""

    table: str
    club: int
    status: str
    length: int
    asked_at: datetime | None


def tables_of_club(club: Club) -> QuerySet[OnlineTable]:
    """The tables of a club that anybody can join or watch, the newest first, with how many sit
    there."""
    tables = OnlineTable.objects.filter(club=club, listed=True, status__in=AT_WORK)
    return tables.select_related("club").annotate(taken=Count("seats")).order_by("-made_at", "-pk")


def tables_of_account(user: User, club: Club) -> list[OnlineTable]:
    """The tables of a club that wait or are played and at which an account sits, with how many sit
    there. One query."""
    own = OnlineSeat.objects.filter(user=user).values("table")
    tables = OnlineTable.objects.filter(pk__in=own, club=club, status__in=AT_WORK)
    return list(
        tables.select_related("club").annotate(taken=Count("seats")).order_by("-made_at", "-pk")
    )


def sits_for_people(user: User) -> bool:
    """True if an account sits at a table for people only that isn't over."""
    seats = OnlineSeat.objects.filter(
        user=user, table__status__in=AT_WORK, table__programs_welcome=False
    )
    return seats.exists()


def table_read(
    table: OnlineTable,
    cups: Collection[int],
    seats: Sequence[OnlineSeat] | None = None,
    game: OnlineGame | None = None,
) -> TableRead:
    """Read a table with its game and the `cups` of those seats, each for whoever sits there.

    At most five queries, fewer where `seats` and `game` are known.
    """
    seats = seats_of(table) if seats is None else seats
    if table.open_game_id is None:
        return TableRead(table, seats)
    game = online_game(table.open_game_id) if game is None else game
    return TableRead(
        table,
        seats,
        game,
        cups=cups_of(game, cups) if cups else {},
        deadline=None if game.sheet.over else _deadline(table, game, seats),
    )


def table_seen(read: TableRead, seat: int | None) -> TableSeen:
    """Return what a seat sees of a table that was read with its cup, or what a spectator sees
    (None)."""
    table, seats, game, cups, deadline = read
    seats_seen = [SeatSeen(each.number, each.name, seat_kind(each)) for each in seats]
    if game is None:
        return TableSeen(table, seats_seen, seat, None)
    game_read = GameRead(
        kind=table.kind,
        sheet=game.sheet,
        names=[(each.name, bool(each.automatic)) for each in seats],
        seat=seat,
        cup=None if seat is None else cups[seat],
        length=game.row.length,
        deadline=deadline,
    )
    return TableSeen(table, seats_seen, seat, game_read)


def _deadline(table: OnlineTable, game: OnlineGame, seats: Sequence[OnlineSeat]) -> datetime | None:
    """Return when the time of the seats to act ends, turn by turn that of the first of them. At
    most one query."""
    if not table.is_turn_by_turn:
        return table_deadline(table, game, seats)
    turns = turns_of(table)
    return turns[0].ends_at if turns else None


def entries_told(game: OnlineGame, after: int) -> list[dict[str, Any]]:
    """The entries of a sheet whose number is `after` or higher. The keys by which they were sent
    are left out. No entry holds a die that is still hidden. One query."""
    names = ("number", "act", "value", "by", "at")
    return [{name: entry[name] for name in names} for entry in sheet_entries(game.row, after)]


def table_to_stream(table_id: str) -> OnlineTable:
    """A table whose viewers' rights were checked. One query. Raises `OnlineTable.DoesNotExist`."""
    return OnlineTable.objects.select_related("club", "game").get(public_id=table_id)


def versions_of(tables: Collection[str]) -> dict[str, str]:
    """What each of these tables has come to, as `table_version` tells it. One query."""
    length = Coalesce(F("open_game__sheet__length"), 0)
    rows = OnlineTable.objects.filter(public_id__in=tables).annotate(length=length)
    return {
        row[0]: ".".join(map(str, row[1:]))
        for row in rows.values_list("public_id", "version", "length", "status")
    }


def keys_ended(keys: Collection[int]) -> set[int]:
    """Return those of the API keys that are good no longer. One query."""
    good = ApiKey.objects.filter(pk__in=keys, revoked_at=None, user__is_active=True)
    return set(keys) - set(good.values_list("pk", flat=True))


def standings_of(
    users: Collection[int], known: Mapping[tuple[int, str], SeatStanding], table: str | None = None
) -> dict[tuple[int, str], SeatStanding]:
    """Where these accounts stand, by account and table: at all tables at work, or at one table,
    whatever its status.

    What is `known` already of a table that has as many entries isn't computed again. One query, and
    one for each game of which more is to be known, two where all are asked."""
    tables = Q(table__status__in=AT_WORK) if table is None else Q(table__public_id=table)
    seats = OnlineSeat.objects.filter(tables, user__in=users).annotate(
        length=Coalesce(F("table__open_game__sheet__length"), 0)
    )
    columns = (
        "user",
        "number",
        "table__public_id",
        "table__club",
        "table__status",
        "table__open_game",
        "length",
    )
    standings: dict[tuple[int, str], SeatStanding] = {}
    waiting: dict[int, dict[int, datetime]] = {}
    for user, number, table_id, club, status, open_game, length in seats.values_list(*columns):
        earlier = known.get((user, table_id))
        if earlier is not None and (earlier.status, earlier.length) == (status, length):
            standings[user, table_id] = earlier
            continue
        asked_at = None
        if status == OnlineTable.Status.PLAYING:
            if open_game not in waiting:
                waiting[open_game] = _asked(open_game)
            asked_at = waiting[open_game].get(number)
        standings[user, table_id] = SeatStanding(table_id, club, status, length, asked_at)
    return standings


def _asked(open_game: int) -> dict[int, datetime]:
    """Return the seats for which a game waits, each with the moment since when. At most two
    queries."""
    row, sheet = online_game(open_game)
    return {} if sheet.over else dict.fromkeys(sheet.to_act, waiting_since(row, sheet))
