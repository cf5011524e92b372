"""The address of an account's own calendar."""

from __future__ import annotations

from league.core.account.models import User
from league.events.calendar.models import CalendarAddress, new_calendar_secret


def calendar_address_renew(*, user: User) -> str:
    """Create or replace the secret address of an account's own calendar, and return the secret. The
    former address no longer works.
    """
    secret = new_calendar_secret()
    CalendarAddress.objects.update_or_create(user=user, defaults={"secret": secret})
    return secret
