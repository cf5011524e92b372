"""When somebody is told of a turn, when they are reminded of it, and when its time is over."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from league.play.playing_time.domain import PlayerClock

TOLD_AFTER: Final = timedelta(minutes=2)
"""Those who sit at the table's page and move within this time are sent nothing."""
LAST_PART: Final = 4
"""The reminder comes when one of so many parts of the time is left."""
PROMPT: Final = timedelta(minutes=10)
"""A reminder that comes no later than this after its time leaves the end of the turn as it is."""


class TurnTimes(NamedTuple):
    """The times of a turn: when its player is told, reminded, and out of time."""

    tell_at: datetime
    remind_at: datetime
    ends_at: datetime


def turn_times(
    begun: datetime, days: int, clock: PlayerClock, reminded_at: datetime | None = None
) -> TurnTimes:
    """Return the times of a turn that has so many days.

    After the reminder a quarter of the time is left in any case (`reminded_at`: when it came; None:
    it hasn't yet). So a reminder that waits for the end of quiet hours moves the end of the turn.
    """
    span = timedelta(days=days)
    last_part = span / LAST_PART
    remind_at = clock.may_be_told(clock.after(begun, span - last_part))
    counted_from = remind_at
    if reminded_at is not None and reminded_at > remind_at + PROMPT:
        counted_from = reminded_at
    return TurnTimes(
        tell_at=clock.may_be_told(begun + TOLD_AFTER),
        remind_at=remind_at,
        ends_at=clock.after(counted_from, last_part),
    )
