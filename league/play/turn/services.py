"""Turns at tables that are played turn by turn: written by the act before, told and reminded of by a job."""

from __future__ import annotations

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
from league.play.turn.queries import turn_of, turns_held_of, turns_waiting


def turn_write(*, table: OnlineTable, row: OpenSheet, seat: OnlineSeat) -> OnlineTurn:
    """Write whose turn it is after an act, in its transaction; the clock begins with the entry that stands last."""
    before = turn_of(table)
    turn = OnlineTurn(table=table, seat=seat, length=row.length, begun_at=row.heard_at or row.open_game.opened_at)
    _set_times(turn, clock_of(seat.user_id))
    turn.save(force_insert=before is None, force_update=before is not None)
    _count_later([seat.user_id, before.seat.user_id if before else None])
    return turn


def turn_forget(*, table: OnlineTable) -> None:
    """Forget the turn of a table whose game is over, in the transaction that ends it."""
    before = turn_of(table)
    if before is not None:
        before.delete()
        _count_later([before.seat.user_id])


def turn_tell(*, turn: OnlineTurn, at: datetime) -> bool:
    """Note that the player of a turn that is held is told now, or reminded; True for a reminder.

    A reminder that comes late moves the end of the turn, so that a quarter of its time is left. Somebody whose first
    notice is that late gets the reminder alone.
    """
    is_reminder = at >= turn.remind_at
    turn.told_at = turn.told_at or at
    if is_reminder:
        turn.reminded_at = at
    _set_times(turn, clock_of(turn.seat.user_id))
    turn.save()
    _count_later([turn.seat.user_id])
    return is_reminder


def turn_wait(*, turn: OnlineTurn, at: datetime) -> bool:
    """Let a turn that is held wait if its player wants to be left alone at this time; True if it waits."""
    later = clock_of(turn.seat.user_id).may_be_told(at)
    if later == at:
        return False
    turn.next_at = later
    turn.save(update_fields=["next_at"])
    return True


def turns_set_anew(*, user: User) -> list[OnlineTable]:
    """Set the times of all turns of an account anew, as its holidays and quiet hours are now; return their tables."""
    turns = turns_held_of(user)
    clock = clock_of(user.pk)
    for turn in turns:
        _set_times(turn, clock)
        turn.save()
    _count_later([user.pk])
    return [turn.table for turn in turns]


def _set_times(turn: OnlineTurn, clock: PlayerClock) -> None:
    times = turn_times(turn.begun_at, turn.table.move_days, clock, turn.reminded_at)
    turn.tell_at, turn.remind_at, turn.ends_at = times
    if turn.reminded_at:
        turn.next_at = turn.ends_at
    elif turn.told_at:
        turn.next_at = turn.remind_at
    else:
        turn.next_at = min(turn.tell_at, turn.remind_at)


def _count_later(users: list[int | None]) -> None:
    """Count anew in how many games it is the move of these accounts, once the act is committed: its transaction locks
    no account. A call that is lost is made up for when the player is told."""
    for user in sorted({user for user in users if user is not None}):
        transaction.on_commit(partial(turns_write, user=user), robust=True)


@transaction.atomic
def turns_write(*, user: int) -> None:
    """Store in how many games it is an account's move."""
    User.objects.select_for_update(no_key=True).filter(pk=user).first()
    User.objects.filter(pk=user).update(turns=turns_waiting(user))
