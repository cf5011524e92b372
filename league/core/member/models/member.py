"""The roles that accounts have in a club."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.core.club.models import Club
from league.core.log.nouns import Noun


class Role(models.TextChoices):
    """What a member may do. An organiser may do everything that a scorer may."""

    ORGANISER = "organiser", _("Organiser")
    SCORER = "scorer", _("Scorer")
    ARBITER = "arbiter", _("Arbiter")
    PLAYER = "player", _("Player")


class Membership(models.Model):
    """A role of an account in a club; two roles are two rows."""

    club = models.ForeignKey(
        Club,
        on_delete=models.CASCADE,
        verbose_name=_("club"),
        related_name="memberships",
        db_index=False,
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        verbose_name=_("account"),
        related_name="memberships",
    )
    role = models.CharField(_("role"), max_length=16, choices=Role.choices)

    class Meta:
        verbose_name = _("role of a member")
        verbose_name_plural = _("roles of members")
        constraints = [
            models.UniqueConstraint(fields=["club", "user", "role"], name="membership_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user} · {self.role} · {self.club}"


ROLE: Final = Noun("role", Membership, named=("user__public_id", "role"))
