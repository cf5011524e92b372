"""Helpers: accounts with a role for one event, and the invitations to such roles."""

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
"""The roles that can be given for one event, the most common first."""
CODE_LENGTH: Final = 8


class Helper(models.Model):
    """A role of an account for one event; an account with two roles has two rows. The role ends at
    `ended_at`, when an organiser has taken it or the event is over.
    """

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
    """An open invitation to a role for one event, by a link or by a code. The link is for the
    account with the address `email`, and `digest` is that of its token. A `code` is for the first
    person who brings it.

    The row is deleted when the invitation is accepted or withdrawn, is older than invitations to a
    club may be, when the event is over, or when the account that made it no longer organises the
    club. The club's log has its history.
    """

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
