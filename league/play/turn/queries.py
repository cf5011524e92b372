"""Turns at tables that are played turn by turn."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from django.db.models import F, QuerySet
from django.utils import timezone

from league.core.account.models import User
from league.play.online_table.models import OnlineSeat, OnlineTable
from league.play.playing_time.queries import away_until
from league.play.turn.models import OnlineTurn

MOST: Final = 200
"""So many turns are looked after at a time; the next call takes those behind them."""
MOST_GAMES: Final = 100
"""Tables that somebody's list shows at most."""


def turn_of(table: OnlineTable) -> OnlineTurn | None:
    """Read the turn that a table waits for; None where nobody has one."""
    return OnlineTurn.objects.filter(table=table).first()


def turns_to_tell(at: datetime) -> list[int]:
    """The tables, by row id, whose player is to be told or reminded now, the longest due first. By an index."""
    return _due(OnlineTurn.objects.filter(reminded_at=None), at)


def turns_to_end(at: datetime) -> list[int]:
    """The tables, by row id, at which the time of the turn is over and its reminder was given, the longest due
    first. By an index."""
    return _due(OnlineTurn.objects.filter(reminded_at__isnull=False), at)


def _due(turns: QuerySet[OnlineTurn], at: datetime) -> list[int]:
    return list(turns.filter(next_at__lte=at).order_by("next_at").values_list("table", flat=True)[:MOST])


class TurnNow(NamedTuple):
    """The turn that a table waits for, as everybody sees it. `away`: the seats on holiday, with the end of it, the
    first by number. `waits`: the seat whose turn it is is among them, so its clock stands still."""

    ends_at: datetime
    away: list[tuple[OnlineSeat, datetime]]
    waits: bool


def turn_now(table: OnlineTable, seats: Sequence[OnlineSeat]) -> TurnNow | None:
    """Read the turn that a table waits for; None once the game is over. Two queries."""
    turn = turn_of(table)
    if turn is None:
        return None
    ends = away_until([seat.user_id for seat in seats if seat.user_id], timezone.now())
    away = [(seat, ends[seat.user_id]) for seat in seats if seat.user_id in ends]
    return TurnNow(turn.ends_at, away, any(seat.pk == turn.seat_id for seat, _ in away))


def turn_held(table_id: int) -> OnlineTurn | None:
    """Read a turn with its table, club and seat, and hold it until the transaction ends; None if there is none."""
    turns = OnlineTurn.objects.select_for_update(of=("self",)).select_related("table__club", "seat__user")
    return turns.filter(table=table_id).first()


def turns_held_of(user: User) -> list[OnlineTurn]:
    """Read all turns of an account with their tables, and hold them until the transaction ends."""
    turns = OnlineTurn.objects.select_for_update(of=("self",)).select_related("table", "seat")
    return list(turns.filter(seat__user=user).order_by("table"))


def is_turn_of(user: User, table: str, length: int) -> bool:
    """Tell whether the turn that began when the sheet had so many entries still is this account's. One query."""
    return OnlineTurn.objects.filter(table__public_id=table, length=length, seat__user=user).exists()


class MyGame(NamedTuple):
    """A table at which the reader sits. `others`: the names of the other seats; `turn`: whose move it is and until
    when, None in the lobby and at a live table; `mine`: it is the reader's move."""

    table: OnlineTable
    others: list[str]
    turn: OnlineTurn | None
    mine: bool


def my_games(user: User) -> list[MyGame]:
    """The tables in work at which an account sits: those that wait for it first, by deadline. Two queries."""
    at_work = [OnlineTable.Status.LOBBY, OnlineTable.Status.PLAYING]
    tables = (
        OnlineTable.objects.filter(seats__user=user, status__in=at_work)
        .select_related("club", "turn__seat")
        .order_by(F("turn__ends_at").asc(nulls_last=True), "-made_at")
    )
    shown = list(tables[:MOST_GAMES])
    names: dict[int, list[str]] = {}
    others = OnlineSeat.objects.filter(table__in=shown).exclude(user=user).order_by("table", "number")
    for table_id, name in others.values_list("table", "name"):
        names.setdefault(table_id, []).append(name)
    games = [_my_game(user, table, names.get(table.pk, [])) for table in shown]
    return sorted(games, key=lambda game: not game.mine)


def _my_game(user: User, table: OnlineTable, others: list[str]) -> MyGame:
    turn = getattr(table, "turn", None)
    mine = turn is not None and turn.seat.user_id == user.pk
    return MyGame(table, others, turn, mine)


def turns_waiting(user: int) -> int:
    """Count the games that are played turn by turn in which it is an account's move."""
    return OnlineTurn.objects.filter(seat__user=user).count()
