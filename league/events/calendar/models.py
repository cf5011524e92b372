"""The secret address of an account's own calendar."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models
from django.db.models.functions import Now


def new_calendar_secret() -> str:
    """Return a secret for an address that nobody can guess."""
    return secrets.token_urlsafe(24)


class CalendarAddress(models.Model):
    """The secret address of the calendar of an account's own events, for calendar programs, which
    aren't signed in. It is created on request.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="calendar_address",
    )
    secret = models.CharField(max_length=32, unique=True, default=new_calendar_secret)
    made_at = models.DateTimeField(db_default=Now(), editable=False)

    def __str__(self) -> str:
        return f"calendar of {self.user_id}"
