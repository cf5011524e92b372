"""Claims: an account, or a phone without one, that says which player it is, and the codes by which
it may."""

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
    """The code by which whoever brings it first is a player; it is deleted once it is used, another
    one is made, or the player has an account."""

    player = models.OneToOneField(
        Player, on_delete=models.CASCADE, primary_key=True, related_name="claim_code"
    )
    code = models.CharField(max_length=CODE_LENGTH, unique=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    def __str__(self) -> str:
        return f"code of {self.player_id}"


class Claim(PublicModel):
    """A player whom an account claimed to be: one that somebody signs in to, or one of a phone's
    own, without an address.

    It stands until `ended_at`: somebody undid it, the player was linked otherwise, or erased; then
    `user` is None. `key`: the digest of the key of the phone's page, by which a claim that is sent
    again is the same claim."""

    class Way(models.TextChoices):
        """The way by which somebody was let."""

        CODE = "code", _("by a code")
        LIST = "list", _("by an event’s list, checked in")
        MAIL = "mail", _("by a letter’s link")
        ASKED = "asked", _("by an organiser’s tap")

    TAPPED: ClassVar = (Way.LIST, Way.ASKED)
    """The ways by which a name is tapped without anything of its own: by the player's code, or the
    link of a letter to the player, such a claim gives way."""

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
