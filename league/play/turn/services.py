"""Turns at turn-by-turn tables. The previous act stores them; a job notifies and reminds the
players.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from django.db import transaction

from games.models import OpenSheet
from league.core.account.models import User
from league.play.online_table.models import OnlineSeat, OnlineTable
from league.play.playing_time.domain import PlayerClock
from league.play.playing_time.queries import clock_of
from league.play.turn.domain import turn_times
from league.play.turn.models import OnlineTurn
from league.play.turn.queries import turns_held_of, turns_of, turns_waiting


def turns_write(
    *, table: OnlineTable, row: OpenSheet, seats: Sequence[OnlineSeat], since: datetime
) -> None:
    """Store whose turn it is after an act, in its transaction.

    `seats`: the seats for which the table waits. `since`: when it began to wait for them. A seat
    that was asked before keeps its turn while others answer. Ruling K16.
    """
    turns = turns_of(table)
    waiting = {seat.pk for seat in seats}
    going_on = [turn for turn in turns if turn.seat_id in waiting and turn.begun_at == since]
    ended = [turn for turn in turns if turn not in going_on]
    has_turn = {turn.seat_id for turn in going_on}
    begun = [seat for seat in seats if seat.pk not in has_turn]

    OnlineTurn.objects.filter(seat__in=[turn.seat_id for turn in ended]).delete()
    for seat in begun:
        turn = OnlineTurn(table=table, seat=seat, length=row.length, begun_at=since)
        _set_times(turn, clock_of(seat.user_id))
        turn.save(force_insert=True)

    changed_seats = [*begun, *(turn.seat for turn in ended)]
    _count_on_commit([seat.user_id for seat in changed_seats])


def turns_forget(*, table: OnlineTable) -> None:
    """Delete the turns of a table whose game is over, in the transaction that ends it."""
    ended = turns_of(table)
    OnlineTurn.objects.filter(table=table).delete()
    _count_on_commit([turn.seat.user_id for turn in ended])


def turn_tell(*, turn: OnlineTurn, at: datetime) -> bool:
    """Store that the player of a locked turn is notified now, or reminded; return True for a
    reminder.

    A late reminder moves the end of the turn, so that a quarter of its time is left. A player whose
    first notice would be that late gets only the reminder.
    """
    is_reminder = at >= turn.remind_at
    turn.told_at = turn.told_at or at
    if is_reminder:
        turn.reminded_at = at
    _set_times(turn, clock_of(turn.seat.user_id))
    turn.save()
    _count_on_commit([turn.seat.user_id])
    return is_reminder


def turn_wait(*, turn: OnlineTurn, at: datetime) -> bool:
    """Postpone the next notice of a turn if its player doesn't want to be disturbed at this time.
    Return True if it was postponed. `turn`: locked by the caller.
    """
    later = clock_of(turn.seat.user_id).earliest_notice(at)
    if later == at:
        return False
    turn.next_at = later
    turn.save(update_fields=["next_at"])
    return True


def turns_reschedule(*, user: User) -> list[OnlineTable]:
    """Update the times of all turns of an account after its holidays or quiet hours changed; return
    their tables.
    """
    turns = turns_held_of(user)
    clock = clock_of(user.pk)
    for turn in turns:
        _set_times(turn, clock)
        turn.save()
    _count_on_commit([user.pk])
    return [turn.table for turn in turns]


def _set_times(turn: OnlineTurn, clock: PlayerClock) -> None:
    times = turn_times(turn.begun_at, turn.table.move_days, clock, turn.reminded_at)
    turn.tell_at = times.tell_at
    turn.remind_at = times.remind_at
    turn.ends_at = times.ends_at
    if turn.reminded_at:
        turn.next_at = turn.ends_at
    elif turn.told_at:
        turn.next_at = turn.remind_at
    else:
        turn.next_at = min(turn.tell_at, turn.remind_at)


def _count_on_commit(users: list[int | None]) -> None:
    """Have the stored number of waiting games of each account updated after the commit, because an
    act must not lock accounts. `users`: row ids, None for guests.

    If the update is lost, the next one comes when the player is notified.
    """
    accounts = {user for user in users if user is not None}
    for user in sorted(accounts):
        transaction.on_commit(partial(turns_count, user=user), robust=True)


@transaction.atomic
def turns_count(*, user: int) -> None:
    """Store in how many games it is the move of an account, given by row id."""
    # A lock, so that two counts don't overtake each other: the row itself isn't needed.
    User.objects.select_for_update(no_key=True).filter(pk=user).first()
    User.objects.filter(pk=user).update(turns=turns_waiting(user))
