"""Claims: an account, or a phone without one, is a player; and the codes for claiming a player."""

from __future__ import annotations

from typing import ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from games.models.public_id import PublicModel
from league.core.account.models import User
from league.core.log.columns import column
from league.core.log.nouns import Noun
from league.core.player.models import Player

CODE_LENGTH: Final = 8


class ClaimCode(models.Model):
    """A code that makes the first person who uses it the player. It is deleted once it is used or
    replaced, or the player has an account."""

    player = models.OneToOneField(
        Player, on_delete=models.CASCADE, primary_key=True, related_name="claim_code"
    )
    code = models.CharField(max_length=CODE_LENGTH, unique=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    def __str__(self) -> str:
        return f"code of {self.player_id}"


class Claim(PublicModel):
    """The claim of an account to be a player: a real account, or a phone's own without an address.

    It ends at `ended_at`: it was undone, the player was linked otherwise, or erased; then `user` is
    None. `key`: the digest of the key of the phone's page: the same key means the same claim."""

    class Way(models.TextChoices):
        """How the claim was proven."""

        CODE = "code", _("with a code")
        LIST = "list", _("from an event’s list, once checked in")
        MAIL = "mail", _("with a link in an email")
        ASKED = "asked", _("approved by an organiser")

    TAPPED: ClassVar = (Way.LIST, Way.ASKED)
    """The ways in which a name is tapped without proof: such a claim gives way to the player's
    code, or to an email's link."""

    player: models.ForeignKey[Player, Player] = column(
        models.ForeignKey(Player, on_delete=models.PROTECT, related_name="claims")
    )
    user: models.ForeignKey[User | None, User | None] = column(
        models.ForeignKey(
            settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="claims"
        ),
        name="account",
    )
    way = column(models.CharField(max_length=8, choices=Way.choices))
    key = models.CharField(max_length=64, default="", editable=False)
    claimed_at = column(models.DateTimeField(editable=False))
    ended_at = column(models.DateTimeField(null=True, editable=False))

    class Meta:
        ordering = ["-claimed_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                "player", condition=models.Q(ended_at=None), name="claim_of_player_once"
            ),
        ]


CLAIM: Final = Noun("claim", Claim, club="player__club")
