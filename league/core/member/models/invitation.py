"""Invitations: links by which people get a role in a club."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from games.models.public_id import PublicModel
from league.core.account.models import User
from league.core.club.models import Club
from league.core.member.models.member import Role

GOOD_FOR: Final = timedelta(days=14)
"""How long an invitation is valid."""


class RoleInvitation(PublicModel):
    """The base of invitations to a role in a club or at one event."""

    email: models.EmailField[str, str]
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        abstract = True
        ordering = ["created_at", "pk"]

    def is_for(self, user: User) -> bool:
        """Return True if the account has the invited address."""
        return user.email.casefold() == self.email.casefold()


class Invitation(RoleInvitation):
    """A role for the account with this address. Only the digest of the link's token is stored.

    It is deleted when it is accepted, withdrawn, or older than `GOOD_FOR`, and when its sender is
    no organiser any more: the club's log says what became of it."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations")
    email = models.EmailField()
    role = models.CharField(max_length=16, choices=Role.choices)
    digest = models.CharField(max_length=64, unique=True, editable=False)
