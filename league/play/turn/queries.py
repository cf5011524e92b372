"""Queries of turns at turn-by-turn tables."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from django.db.models import F, Min, QuerySet
from django.utils import timezone

from games.queries.online_game import OnlineGame, online_games
from league.core.account.models import User
from league.play.online_table.models import OnlineSeat, OnlineTable
from league.play.playing_time.queries import away_until
from league.play.turn.models import OnlineTurn

MOST: Final = 200
"""The most turns handled by one call; the next call takes the rest."""
MOST_GAMES: Final = 100
"""The most tables that an account's list shows."""


def turns_of(table: OnlineTable) -> list[OnlineTurn]:
    """Return the turns for which a table waits, the first to end first. One query."""
    return list(
        OnlineTurn.objects.filter(table=table)
        .select_related("seat")
        .order_by("ends_at", "seat__number")
    )


def turns_to_tell(at: datetime) -> list[int]:
    """Return the seats, by row id, whose player is to be notified or reminded now, the longest due
    first. Uses an index.
    """
    return _due(OnlineTurn.objects.filter(reminded_at=None), at)


def turns_to_end(at: datetime) -> list[int]:
    """Return the seats, by row id, whose time is over and whose reminder was sent, the longest due
    first. Uses an index.
    """
    return _due(OnlineTurn.objects.filter(reminded_at__isnull=False), at)


def _due(turns: QuerySet[OnlineTurn], at: datetime) -> list[int]:
    due = turns.filter(next_at__lte=at).order_by("next_at")
    return list(due.values_list("seat", flat=True)[:MOST])


class TurnsNow(NamedTuple):
    """The turns for which a table waits, as everybody sees them, the first to end first.

    `away`: the seats on holiday with the end of their holiday, in the order of seats.
    """

    turns: list[OnlineTurn]
    away: list[tuple[OnlineSeat, datetime]]


def turns_now(table: OnlineTable, seats: Sequence[OnlineSeat]) -> TurnsNow | None:
    """Return the turns for which a table waits; None once the game is over. Two queries."""
    turns = turns_of(table)
    if not turns:
        return None
    users = [seat.user_id for seat in seats if seat.user_id]
    ends = away_until(users, timezone.now())
    away = [(seat, ends[seat.user_id]) for seat in seats if seat.user_id in ends]
    return TurnsNow(turns, away)


def turn_held(seat_id: int) -> OnlineTurn | None:
    """Lock the turn of a seat, given by row id, until the transaction ends. Return it with its
    table, club and account, or None.
    """
    turns = OnlineTurn.objects.select_for_update(of=("self",)).select_related(
        "table__club", "seat__user"
    )
    return turns.filter(seat=seat_id).first()


def turns_held_of(user: User) -> list[OnlineTurn]:
    """Lock all turns of an account until the transaction ends, and return them with their
    tables.
    """
    turns = OnlineTurn.objects.select_for_update(of=("self",)).select_related("table", "seat")
    return list(turns.filter(seat__user=user).order_by("table"))


def is_turn_of(user: User, table: str, length: int) -> bool:
    """Return True if the turn that began at this length of the sheet still is this account's. One
    query.
    """
    return OnlineTurn.objects.filter(
        table__public_id=table, length=length, seat__user=user
    ).exists()


class MyGame(NamedTuple):
    """A table at which the reader sits. `others`: the names of the other seats; `to_act`: those of
    them for which the table waits. `mine`: it waits for the reader.

    `ends_at`: when the reader's time ends, or else the first time of the others; None in the lobby
    and at a live table.
    """

    table: OnlineTable
    others: list[str]
    to_act: list[str]
    mine: bool
    ends_at: datetime | None


def my_games(user: User) -> list[MyGame]:
    """Return the tables in the lobby or in play at which an account sits: those that wait for it
    first, by deadline. Four queries.
    """
    at_work = [OnlineTable.Status.LOBBY, OnlineTable.Status.PLAYING]
    earliest_first = F("first_end").asc(nulls_last=True)
    tables = (
        OnlineTable.objects.filter(seats__user=user, status__in=at_work)
        .annotate(first_end=Min("turns__ends_at"))
        .select_related("club")
        .prefetch_related("seats", "turns")
        .order_by(earliest_first, "-made_at")[:MOST_GAMES]
    )
    open_games = [table.open_game_id for table in tables if table.open_game_id is not None]
    playing = online_games(open_games)
    games = []
    for table in tables:
        game = playing.get(table.open_game_id) if table.open_game_id else None
        games.append(_my_game(user, table, game))
    return sorted(games, key=lambda my_game: not my_game.mine)


def _my_game(user: User, table: OnlineTable, game: OnlineGame | None) -> MyGame:
    seats = list(table.seats.all())
    own_seats = {seat.pk for seat in seats if seat.user_id == user.pk}
    waiting: list[OnlineSeat] = []
    if game is not None:
        waiting = [seats[number] for number in game.sheet.to_act]
    turns = list(table.turns.all())
    own_turns = [turn for turn in turns if turn.seat_id in own_seats]
    ends = [turn.ends_at for turn in own_turns or turns]
    return MyGame(
        table=table,
        others=[seat.name for seat in seats if seat.pk not in own_seats],
        to_act=[seat.name for seat in waiting if seat.pk not in own_seats],
        mine=any(seat.pk in own_seats for seat in waiting),
        ends_at=min(ends, default=None),
    )


def turns_waiting(user: int) -> int:
    """Return the number of turn-by-turn games in which it is the move of an account, given by row
    id.
    """
    return OnlineTurn.objects.filter(seat__user=user).count()
