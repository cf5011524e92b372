"""A game as it was recorded, and its seats."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from games.models.fact import Fact


class Kind(models.TextChoices):
    """The games the engine can judge; the values are those of the record's key `game`."""

    BLUFF = "bluff", _("Bluff")
    LUEGEN_KNIFFEL = "luegen-kniffel", _("Lügen-Kniffel")


class Game(Fact):
    """One recorded game. Its facts are append-only; a correction is a new row that names the one it replaces.

    `header` is the canonical header that the digest chain starts from (`engine.record.canonical`); `digest` is the
    header's link and `head` the last round's. `proof` is that of the dice, where the record brought one. Outcome
    columns (`over` and those of the seats) are what replaying the rounds gives.
    """

    source = models.CharField(max_length=80, db_collation="C")
    external_id = models.CharField(max_length=64, db_collation="C")
    revision = models.PositiveSmallIntegerField(default=1)
    replaces = models.OneToOneField("self", on_delete=models.PROTECT, null=True, blank=True, related_name="replaced_by")
    reason = models.CharField(max_length=500, blank=True, default="")
    kind = models.CharField(max_length=16, choices=Kind.choices)
    header = models.TextField()
    digest = models.BinaryField(max_length=32)
    proof = models.JSONField(null=True, blank=True, editable=False)
    played_at = models.DateTimeField(null=True, blank=True)
    event = models.CharField(max_length=64, blank=True, default="")
    table = models.CharField(max_length=64, blank=True, default="")
    entered_at = models.DateTimeField(db_default=Now(), editable=False)
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    head = models.BinaryField(max_length=32)
    round_count = models.PositiveSmallIntegerField()
    over = models.BooleanField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["source", "external_id", "revision"], name="game_once_per_source"),
        ]

    def __str__(self) -> str:
        return self.external_id if self.revision == 1 else f"{self.external_id} (revision {self.revision})"


class Seat(Fact):
    """One seat of a game, counted clockwise from 0. Rank and points are null until the game is over.

    `cntdice` is ruling B13 (Bluff only); `points` is the scoring of the game's own ruleset.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="seats")
    number = models.PositiveSmallIntegerField()
    handle = models.CharField(max_length=64)
    rank = models.PositiveSmallIntegerField(null=True, blank=True)
    cntdice = models.PositiveSmallIntegerField(null=True, blank=True)
    points = models.SmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["game", "number"]
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="seat_once_per_game")]

    def __str__(self) -> str:
        return f"{self.handle} ({self.game_id}/{self.number})"
