"""The secret address of an account's own calendar."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models
from django.db.models.functions import Now


def new_calendar_secret() -> str:
    """A secret that nobody can guess, as it stands in an address."""
    return secrets.token_urlsafe(24)


class CalendarAddress(models.Model):
    """By which secret the calendar of an account's own events is read by who isn't signed in; made
    when asked for."""

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
