"""What is still to be told to those who count games."""

from django.db import models
from django.db.models.functions import Now

from games.models.game import Game


class Outbox(models.Model):
    """A game that ended, or replaced another, and isn't counted yet; written in the transaction that seals it.

    A row is claimed and finished in the transaction that writes what follows from it. A row whose job failed waits
    until `due_at` and tells why in `error`.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="outbox")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    due_at = models.DateTimeField(db_default=Now())
    done_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.TextField(blank=True, default="")

    class Meta:
        verbose_name_plural = "outbox"
        indexes = [
            models.Index(fields=["due_at"], condition=models.Q(done_at__isnull=True), name="outbox_open"),
        ]

    def __str__(self) -> str:
        return f"{self.pk}: game {self.game_id}"
