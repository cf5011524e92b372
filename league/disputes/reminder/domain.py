"""How long a case may wait before those who decide it are told again."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final, NamedTuple

REMIND_AFTER: Final = timedelta(days=3)
"""Those who decide a case are reminded once it has waited this long."""
ESCALATE_AFTER: Final = timedelta(days=7)
"""All who can decide a case are told once it has waited this long."""


class Wait(NamedTuple):
    """How long a case has waited. `long`: people were to be reminded of it; `overdue`: all were to
    be told."""

    days: int
    long: bool
    overdue: bool


def wait_of(since: datetime, at: datetime) -> Wait:
    """Return how long a case that began then has waited at a time; `days` are whole ones."""
    waited = at - since
    return Wait(
        days=max(waited.days, 0), long=waited >= REMIND_AFTER, overdue=waited >= ESCALATE_AFTER
    )
