"""A sealed round (Bluff) or turn (Lügen-Kniffel)."""

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from games.models.game import Game


class Round(models.Model):
    """One entry of a game's record, sealed: the database refuses UPDATE and DELETE.

    `body` is the compact form (`compact.py` of its game in `engine.record`; a dict per die would be 29 times larger
    than the notation); `digest` is sha256 over the digest before it and the canonical form of this round.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    body = models.BinaryField()
    digest = models.BinaryField(max_length=32)
    entered_at = models.DateTimeField(db_default=Now(), editable=False)
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["game", "number"]
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="round_once_per_game")]
        triggers = [
            pgtrigger.Protect(name="round_is_sealed", operation=pgtrigger.Update | pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.number}"
