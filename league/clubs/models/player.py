"""Who sits at a club's tables."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower, Now
from django.utils.translation import gettext_lazy as _

from games.models.public_id import PublicIdField
from league.clubs.models.club import Club


class Player(models.Model):
    """A player of a club. The same person in another club is another player there; one account may be linked to both.

    `handle` is the current one of the player's `handles`. `merged_into` is the player that this one turned out to be:
    games count for that one. Who was erased keeps the id and a pseudonym.
    """

    public_id = PublicIdField()
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="players")
    handle = models.CharField(_("handle"), max_length=64)
    name = models.CharField(_("display name"), max_length=120)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="players"
    )
    merged_into = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="merged", editable=False
    )
    erased_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Handle(models.Model):
    """What records call a player, now or once: a record with a former handle finds the same player."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="handles")
    handle = models.CharField(_("handle"), max_length=64)
    since = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["-since", "-pk"]
        constraints = [models.UniqueConstraint("club", Lower("handle"), name="handle_once_per_club")]

    def __str__(self) -> str:
        return self.handle
