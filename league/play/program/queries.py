"""Online tables for programs: a table with its game is read once, and then shown to each viewer as
they may see it.
"""

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
from league.play.online_table.queries import seat_names, seats_of, table_deadline
from league.play.program.domain.table import GameRead, SeatSeen, TableSeen, seat_kind
from league.play.turn.queries import turns_of

AT_WORK = (OnlineTable.Status.LOBBY, OnlineTable.Status.PLAYING)
ENDED = (OnlineTable.Status.OVER, OnlineTable.Status.ABANDONED)


class TableRead(NamedTuple):
    """A table with its seats, its game, and the cups of the seats that were asked for. `deadline`:
    when the time of the seats to act ends.
    """

    table: OnlineTable
    seats: Sequence[OnlineSeat]
    game: OnlineGame | None = None
    cups: Mapping[int, Any] = MappingProxyType({})
    deadline: datetime | None = None


class SeatState(NamedTuple):
    """The state of an account's seat at a table: the table's status, the length of its sheet, and
    since when the table waits for the seat, None while it doesn't.

    Seats that are asked at the same time have the same `asked_at` until they have answered,
    whatever others do (ruling K16).
    """

    table: str
    club: int
    status: str
    length: int
    asked_at: datetime | None


def tables_of_club(club: Club) -> QuerySet[OnlineTable]:
    """Return the tables of a club that anybody can join or watch, the newest first, each with its
    number of seats `taken`.
    """
    tables = OnlineTable.objects.filter(club=club, listed=True, status__in=AT_WORK)
    return tables.select_related("club").annotate(taken=Count("seats")).order_by("-made_at", "-pk")


def tables_of_account(user: User, club: Club) -> list[OnlineTable]:
    """Return the tables of a club in the lobby or in play at which an account sits, each with its
    number of seats `taken`. One query.
    """
    own = OnlineSeat.objects.filter(user=user).values("table")
    tables = OnlineTable.objects.filter(pk__in=own, club=club, status__in=AT_WORK)
    with_seats = tables.select_related("club").annotate(taken=Count("seats"))
    return list(with_seats.order_by("-made_at", "-pk"))


def sits_for_people(user: User) -> bool:
    """Return True if an account sits at a table for people only that isn't over."""
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
    """Read a table with its game and the cups of the seats `cups`, to be shown to these seats
    alone.

    At most five queries, fewer if `seats` and `game` are given.
    """
    if seats is None:
        seats = seats_of(table)
    if table.open_game_id is None:
        return TableRead(table, seats)
    if game is None:
        game = online_game(table.open_game_id)
    read = TableRead(table, seats, game)
    if cups:
        read = read._replace(cups=cups_of(game, cups))
    if not game.sheet.over:
        read = read._replace(deadline=_deadline(table, game, seats))
    return read


def table_seen(read: TableRead, seat: int | None) -> TableSeen:
    """Return a table as a seat sees it, or a spectator (None). The table must have been read with
    that seat's cup.
    """
    seats_seen = [SeatSeen(each.number, each.name, seat_kind(each)) for each in read.seats]
    if read.game is None:
        return TableSeen(read.table, seats_seen, seat, None)
    game_read = GameRead(
        kind=read.table.kind,
        sheet=read.game.sheet,
        names=seat_names(read.seats),
        seat=seat,
        cup=None if seat is None else read.cups[seat],
        length=read.game.row.length,
        deadline=read.deadline,
    )
    return TableSeen(read.table, seats_seen, seat, game_read)


def _deadline(table: OnlineTable, game: OnlineGame, seats: Sequence[OnlineSeat]) -> datetime | None:
    if not table.is_turn_by_turn:
        return table_deadline(table, game, seats)
    turns = turns_of(table)
    return turns[0].ends_at if turns else None


def public_entries(game: OnlineGame, after: int) -> list[dict[str, Any]]:
    """Return the entries of a sheet from the number `after` on, without their idempotency keys. No
    entry holds a die that is still hidden. One query.
    """
    names = ("number", "act", "value", "by", "at")
    return [{name: entry[name] for name in names} for entry in sheet_entries(game.row, after)]


def table_to_stream(table_id: str) -> OnlineTable:
    """Return a table for viewers whose rights were checked. One query. Raise
    `OnlineTable.DoesNotExist`.
    """
    return OnlineTable.objects.select_related("club", "game").get(public_id=table_id)


def versions_of(tables: Collection[str]) -> dict[str, str]:
    """Return the versions of these tables, as `table_version` does. One query."""
    length = Coalesce(F("open_game__sheet__length"), 0)
    rows = OnlineTable.objects.filter(public_id__in=tables).annotate(length=length)
    versions = {}
    for public_id, *parts in rows.values_list("public_id", "version", "length", "status"):
        versions[public_id] = ".".join(str(part) for part in parts)
    return versions


def keys_ended(keys: Collection[int]) -> set[int]:
    """Return which of these API keys are revoked or belong to inactive accounts. One query."""
    good = ApiKey.objects.filter(pk__in=keys, revoked_at=None, user__is_active=True)
    return set(keys) - set(good.values_list("pk", flat=True))


def seat_states_of(
    users: Collection[int], known: Mapping[tuple[int, str], SeatState], table: str | None = None
) -> dict[tuple[int, str], SeatState]:
    """Return the states of these accounts' seats, by account and table: at all tables in the lobby
    or in play, or at one table, whatever its status.

    `known`: earlier states, which are reused if status and length are the same. One query, and one
    for each game that has changed, two if all its seats are asked.
    """
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
    states: dict[tuple[int, str], SeatState] = {}
    waiting: dict[int, dict[int, datetime]] = {}
    for user, number, table_id, club, status, open_game, length in seats.values_list(*columns):
        earlier = known.get((user, table_id))
        if earlier is not None and earlier.status == status and earlier.length == length:
            states[user, table_id] = earlier
            continue
        asked_at = None
        if status == OnlineTable.Status.PLAYING:
            if open_game not in waiting:
                waiting[open_game] = _waiting_seats(open_game)
            asked_at = waiting[open_game].get(number)
        states[user, table_id] = SeatState(table_id, club, status, length, asked_at)
    return states


def _waiting_seats(open_game: int) -> dict[int, datetime]:
    row, sheet = online_game(open_game)
    if sheet.over:
        return {}
    return dict.fromkeys(sheet.to_act, waiting_since(row, sheet))
