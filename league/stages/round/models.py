"""The rounds of a stage."""

from __future__ import annotations

from typing import Final

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from engine.messages import Message
from games.models.public_id import PublicModel
from league.core.log.columns import column
from league.core.log.nouns import Noun
from league.stages.stage.models import Stage

LONGEST: Final = 24 * 60
"""Minutes that a round may last."""


class StageRound(PublicModel):
    """One set of tables drawn together. Asking for it makes the row; a job draws, once.

    `failure` says why nothing could be drawn. A round that is `taken_back` stays, with its draws,
    and the next one has its number again. Its clock runs for `minutes` from `clock_started_at`, and
    stands since `clock_stopped_at`; when it goes on, the start moves by as much as it stood.
    `kept`: where results that it was drawn from have been corrected since, and it stays as it was
    played, the digest of the draw's input that the corrected results would have made. `attempts`:
    how often a worker began to draw it. `edition`: 1, and one more for each time that a round of
    the number was asked for before. `at_once`: the job that draws it publishes it, too. `ahead`:
    and asks for the next one, until all planned rounds are drawn."""

    class Status(models.TextChoices):
        """Where a round stands. A `failed` one and one `taken_back` count for nothing; their number
        is given again."""

        ASKED = "asked", _("being drawn")
        FAILED = "failed", _("could not be drawn")
        DRAWN = "drawn", _("drawn, not yet published")
        PUBLISHED = "published", _("published")
        FINISHED = "finished", _("finished")
        TAKEN_BACK = "taken_back", _("taken back")

    stage: models.ForeignKey[Stage, Stage] = column(
        models.ForeignKey(
            Stage, on_delete=models.PROTECT, related_name="stage_rounds", db_index=False
        )
    )
    number = column(models.PositiveSmallIntegerField())
    status = column(models.CharField(max_length=16, choices=Status.choices, default=Status.ASKED))
    failure = models.JSONField(null=True, blank=True)
    starts_at = models.DateTimeField(_("begins"), null=True, blank=True)
    minutes = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(LONGEST)]
    )
    clock_started_at = models.DateTimeField(null=True, blank=True)
    clock_stopped_at = models.DateTimeField(null=True, blank=True)
    kept = models.CharField(max_length=64, blank=True, default="", editable=False)
    attempts = models.PositiveSmallIntegerField(default=0, editable=False)
    edition = column(models.PositiveSmallIntegerField(default=1, editable=False))
    at_once = column(models.BooleanField(default=False, editable=False))
    ahead = column(models.BooleanField(default=False, editable=False))
    asked_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["stage", "number", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["stage", "number"],
                condition=~models.Q(status__in=["taken_back", "failed"]),
                name="round_drawn_once",
            )
        ]
        indexes = [models.Index(fields=["stage", "number"], name="rounds_of_stage")]

    def __str__(self) -> str:
        return f"round {self.number} of {self.stage_id}"

    @property
    def failure_message(self) -> Message | None:
        """The reason why it could not be drawn."""
        return Message.from_json(self.failure) if self.failure else None

    @property
    def name(self) -> str:
        """What everybody calls a round that comes with its stage: by its number, or the one of all
        free tables."""
        if self.stage.format_rules.free:
            return gettext("Tables")
        return pgettext("of an event", "Round %(number)s") % {"number": self.number}


ROUND: Final = Noun("round", StageRound, club="stage__event__club")


ROUND_KEPT: Final = Noun(
    "round kept",
    StageRound,
    club="stage__event__club",
    more={"digest": "kept"},
    where=~models.Q(kept=""),
    marked=False,
)
"""A round that was kept as it was played, though corrected results would have made it otherwise."""
