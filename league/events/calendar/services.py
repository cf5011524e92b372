"""The address of an account's own calendar."""

from __future__ import annotations

from league.core.account.models import User
from league.events.calendar.models import CalendarAddress, new_calendar_secret


def calendar_address_renew(*, user: User) -> str:
    """A new secret for the address of an account's own calendar, its first one too; the former
    opens nothing more."""
    secret = new_calendar_secret()
    CalendarAddress.objects.update_or_create(user=user, defaults={"secret": secret})
    return secret
