"""How long a case may wait before people are reminded of it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final, NamedTuple

REMIND_AFTER: Final = timedelta(days=3)
"""After this wait those who were told of a case first are reminded."""
ESCALATE_AFTER: Final = timedelta(days=7)
"""After this wait everybody who can decide a case is told."""


class Wait(NamedTuple):
    """How long a case has waited, in whole days. `long`: the time to remind has come. `overdue`:
    the time to tell everybody has come."""

    days: int
    long: bool
    overdue: bool


def wait_of(since: datetime, at: datetime) -> Wait:
    """Return how long a case that began at `since` has waited at a time."""
    waited = at - since
    return Wait(
        days=max(waited.days, 0), long=waited >= REMIND_AFTER, overdue=waited >= ESCALATE_AFTER
    )
