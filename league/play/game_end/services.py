"""Ends of turn-by-turn games. The act that ends a game stores them; a job notifies the players."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.utils import timezone

from league.play.game_end.models import GameEnd
from league.play.online_table.models import OnlineSeat
from league.play.playing_time.queries import clock_of


def ends_write(*, seats: Sequence[OnlineSeat]) -> None:
    """Store that the accounts of these seats are to be notified of the end, in the transaction that
    ends the game.

    Idempotent. Guests have no account and are skipped.
    """
    now = timezone.now()
    ends = [GameEnd(seat=seat, next_at=now) for seat in seats if seat.user_id is not None]
    GameEnd.objects.bulk_create(ends, ignore_conflicts=True)


def end_see(*, seat: OnlineSeat) -> None:
    """Store that the act of this seat ended the game, in its transaction: its account has seen the
    end.
    """
    GameEnd.objects.filter(seat=seat).update(seen=True)


def end_wait(*, end: GameEnd, at: datetime) -> bool:
    """Postpone the notice of a game's end if its account doesn't want to be disturbed at this time.
    Return True if it was postponed. `end`: locked by the caller.
    """
    later = clock_of(end.seat.user_id).earliest_notice(at)
    if later == at:
        return False
    end.next_at = later
    end.save(update_fields=["next_at"])
    return True
