"""How long a call has waited, in words."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.utils.translation import gettext, ngettext

LONG: Final = timedelta(minutes=5)
"""Tables that have waited longer than this are marked."""


def is_long(called_at: datetime, at: datetime) -> bool:
    """Return True if a table has waited too long for the arbiter."""
    return at - called_at >= LONG


def age_in_words(called_at: datetime, at: datetime) -> str:
    """Return how long a table has waited: “just now”, “4 minutes”, “2 hours”, “3 days”."""
    minutes = max(0, round((at - called_at).total_seconds())) // 60
    if not minutes:
        return gettext("just now")
    if minutes < 60:
        return ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes}
    hours = minutes // 60
    if hours < 48:
        return ngettext("%(count)d hour", "%(count)d hours", hours) % {"count": hours}
    days = hours // 24
    return ngettext("%(count)d day", "%(count)d days", days) % {"count": days}
