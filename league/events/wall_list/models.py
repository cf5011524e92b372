"""The code on the wall, and the requests of phones to be a player."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from games.models.public_id import PublicModel
from league.events.entry.models import Entry
from league.events.event.models import Event

REQUESTS_KEPT: Final = timedelta(days=1)
"""How long the requests of phones are kept."""
WALL_LENGTH: Final = 8
"""The number of characters of an event's wall code."""
SIGN_LENGTH: Final = 3
"""The number of characters of a waiting phone's sign."""


class WallCode(models.Model):
    """The secret in the address of an event's wall list. A player who scans it there taps their own
    name, and the phone becomes that player's. Renewing the code replaces it.
    """

    event = models.OneToOneField(
        Event, on_delete=models.CASCADE, primary_key=True, related_name="wall_code"
    )
    code = models.CharField(max_length=WALL_LENGTH, unique=True)
    made_at = models.DateTimeField(db_default=Now(), editable=False)

    def __str__(self) -> str:
        return f"wall of {self.event_id}"


class ClaimRequest(PublicModel):
    """A request from a phone on which a name was tapped without the wall's code. It waits for
    somebody who checks in at the event.

    `sign` is shown on the phone and in the list of waiting phones, so that everybody knows which
    phone is meant. `key`: the digest of the key that the phone's browser keeps to learn the answer.
    `user`: the account that asks, None for a phone without one. The row is deleted after
    `REQUESTS_KEPT`.
    """

    class Status(models.TextChoices):
        """The states of a request."""

        WAITING = "waiting", _("waiting")
        APPROVED = "approved", _("approved")
        REFUSED = "refused", _("refused")

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="claim_requests")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+"
    )
    sign = models.CharField(max_length=SIGN_LENGTH)
    key = models.CharField(max_length=64, unique=True, editable=False)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.WAITING)
    asked_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["asked_at", "pk"]

    def __str__(self) -> str:
        return f"{self.sign} for {self.entry_id}"
