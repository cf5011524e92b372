"""The times of a turn: when the player is notified, when reminded, and when the turn ends."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from league.play.playing_time.domain import PlayerClock

TOLD_AFTER: Final = timedelta(minutes=2)
"""Players who move within this time, because they have the table's page open, aren't notified."""
LAST_PART: Final = 4
"""The reminder comes when a quarter of the time is left."""
PROMPT: Final = timedelta(minutes=10)
"""A reminder that is at most this late doesn't move the end of the turn."""


class TurnTimes(NamedTuple):
    """The times of a turn: when its player is notified, reminded, and out of time."""

    tell_at: datetime
    remind_at: datetime
    ends_at: datetime


def turn_times(
    begun: datetime, days: int, clock: PlayerClock, reminded_at: datetime | None = None
) -> TurnTimes:
    """Return the times of a turn of this many days.

    After the reminder a quarter of the time always remains (`reminded_at`: when it came, None
    before). So a reminder that waits for the end of quiet hours moves the end of the turn.
    """
    span = timedelta(days=days)
    last_part = span / LAST_PART
    remind_at = clock.earliest_notice(clock.after(begun, span - last_part))
    counted_from = remind_at
    if reminded_at is not None and reminded_at > remind_at + PROMPT:
        counted_from = reminded_at
    return TurnTimes(
        tell_at=clock.earliest_notice(begun + TOLD_AFTER),
        remind_at=remind_at,
        ends_at=clock.after(counted_from, last_part),
    )
