"""How long an objection may wait before those who rule are told again."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final, NamedTuple

REMIND_AFTER: Final = timedelta(days=3)
"""Those who were told of an objection are reminded once it has waited this long."""
ESCALATE_AFTER: Final = timedelta(days=7)
"""All arbiters and organisers are told once an objection has waited this long."""


class Wait(NamedTuple):
    """How long an objection has waited. `long`: people were to be reminded of it; `overdue`: all
    were to be told."""

    days: int
    long: bool
    overdue: bool


def wait_of(raised_at: datetime, at: datetime) -> Wait:
    """Return how long an objection that was raised then has waited at a time; `days` are whole
    ones."""
    waited = at - raised_at
    return Wait(
        days=max(waited.days, 0), long=waited >= REMIND_AFTER, overdue=waited >= ESCALATE_AFTER
    )
