"""Helpers: accounts with a role for one event, and the invitations by which they come."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.core.log.columns import column
from league.core.log.nouns import Noun
from league.core.member.models.invitation import RoleInvitation
from league.core.member.models.member import Role
from league.events.event.models import Event

HELPER_ROLES: Final = [
    (role.value, role.label) for role in (Role.SCORER, Role.ORGANISER, Role.ARBITER)
]
"""The roles that can be for one event, that first which most helpers have."""
CODE_LENGTH: Final = 8


class Helper(models.Model):
    """A role of an account for one event; who has two roles has two rows. It is good until
    `ended_at`: an organiser has taken it, or the event was over."""

    event = models.ForeignKey(
        Event, on_delete=models.CASCADE, related_name="helpers", db_index=False
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="helper_roles"
    )
    role = models.CharField(_("role"), max_length=16, choices=HELPER_ROLES)
    ended_at = column(models.DateTimeField(null=True, blank=True, editable=False))

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "user", "role"], name="helper_once")
        ]

    def __str__(self) -> str:
        return f"{self.user_id} · {self.role} · {self.event_id}"


HELPER: Final = Noun(
    "helper", Helper, club="event__club", named=("event__public_id", "user__public_id", "role")
)


class HelperInvitation(RoleInvitation):
    """A role for one event that waits: for the account with an address, whose link's token has this
    `digest`, or for whoever brings the `code` first.

    It is deleted when it is accepted, withdrawn, or older than an invitation to a club may be, when
    the event is over, and when who made it is no organiser of the club any more: the club's log has
    what became of it."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="helper_invitations")
    role = models.CharField(_("role"), max_length=16, choices=HELPER_ROLES)
    email = models.EmailField(blank=True, default="")
    digest = models.CharField(max_length=64, unique=True, null=True, editable=False)  # noqa: DJ001 — unique, but for codes
    code = models.CharField(max_length=CODE_LENGTH, unique=True, null=True, editable=False)  # noqa: DJ001 — unique

    class Meta(RoleInvitation.Meta):
        constraints = [
            models.CheckConstraint(
                condition=models.Q(email="", digest=None, code__isnull=False)
                | ~models.Q(email="") & models.Q(digest__isnull=False, code=None),
                name="helper_invitation_by_link_or_code",
            )
        ]
