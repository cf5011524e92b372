"""The clock of a round: the time that it shows, and when it runs out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from league.stages.round.models import StageRound


@dataclass(frozen=True, slots=True)
class RoundClock:
    """A round's clock at the moment `now`, from which a page computes how wrong the clock of the
    reader's device is.

    `ends_at`: when the time is up; None while the clock is stopped. `left`: the seconds that are
    left, 0 when the time is up. `begun`: the clock was started before.
    """

    now: datetime
    ends_at: datetime | None
    left: int
    begun: bool

    @property
    def over(self) -> bool:
        """Return True if the time is up."""
        return self.left == 0

    @property
    def shown(self) -> str:
        """Return the time left as a clock shows it, in minutes and seconds."""
        return f"{self.left // 60}:{self.left % 60:02}"


def round_clock(stage_round: StageRound, now: datetime | None = None) -> RoundClock | None:
    """Return the clock of a round; None if it has none. Seconds are rounded up."""
    if not stage_round.minutes:
        return None
    now = now or timezone.now()
    full_time = timedelta(minutes=stage_round.minutes)
    started_at = stage_round.clock_started_at
    stopped_at = stage_round.clock_stopped_at
    remaining = full_time
    if started_at is not None:
        remaining = max(started_at + full_time - (stopped_at or now), timedelta())
    # Twice negated, a division rounds up.
    seconds_left = -(-remaining // timedelta(seconds=1))
    is_running = started_at is not None and stopped_at is None
    return RoundClock(
        now=now,
        ends_at=started_at + full_time if started_at and is_running else None,
        left=seconds_left,
        begun=started_at is not None,
    )
