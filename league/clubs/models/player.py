"""Who sits at a club's tables."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower, Now
from django.utils.translation import gettext_lazy as _

from league.clubs.models.club import Club


class Player(models.Model):
    """A player of a club, named in records by the handle. The same person in another club is another player there;
    one account may be linked to both."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="players")
    handle = models.CharField(_("handle"), max_length=64)
    name = models.CharField(_("display name"), max_length=120)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="players"
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint("club", Lower("handle"), name="player_handle_once_per_club"),
        ]

    def __str__(self) -> str:
        return self.name
