"""The clock of a round: what it shows, and until when it runs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from league.stages.round.models import StageRound


@dataclass(frozen=True, slots=True)
class RoundClock:
    """A round's clock at a moment, `now`, by which a page can tell how wrong the reader's own clock
    is.

    `ends_at`: when the time is up; None while it stands. `left`: the seconds that are left, 0 when
    the time is up."""

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
        """Return what is left, as a clock shows it: minutes and seconds."""
        return f"{self.left // 60}:{self.left % 60:02}"


def round_clock(stage_round: StageRound, now: datetime | None = None) -> RoundClock | None:
    """Return the clock of a round; None if it has none. A second that has begun counts as left."""
    if not stage_round.minutes:
        return None
    now = now or timezone.now()
    whole = timedelta(minutes=stage_round.minutes)
    started = stage_round.clock_started_at
    stopped = stage_round.clock_stopped_at
    remaining = whole if started is None else max(started + whole - (stopped or now), timedelta())
    seconds = -(-remaining // timedelta(seconds=1))
    runs = started is not None and stopped is None
    return RoundClock(
        now, started + whole if started and runs else None, seconds, started is not None
    )
