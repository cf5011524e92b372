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
"""The most minutes that a round can last."""


class StageRound(PublicModel):
    """One set of tables drawn together. The row is the request for it; a job draws it, once.

    - `failure`: why it couldn't be drawn. A round that is `taken_back` stays, with its draws, and
      the next round gets its number.
    - `edition`: 1, and one more each time a round of the same number is requested again.
    - `attempts`: how often a worker began to draw it.
    - `at_once`: the job publishes it, too. `ahead`: the job also requests the next round, until all
      planned ones are drawn.
    - `minutes`: the length of its clock, which runs from `clock_started_at` and has stood still
      since `clock_stopped_at`; when it goes on, the start moves by the length of the pause.
    - `kept`: if results that it was drawn from were corrected and it keeps its tables all the same,
      the digest of the draw's input by the corrected results.
    """

    class Status(models.TextChoices):
        """The status of a round. Rounds that `failed` or were `taken_back` count for nothing, and
        their numbers are used again."""

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
        """Return why the round couldn't be drawn."""
        return Message.from_json(self.failure) if self.failure else None

    @property
    def name(self) -> str:
        """Return the name of a round loaded with its stage: “Round 3”, or “Tables” for all free
        tables."""
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
"""Rounds that keep their tables, though corrected results would have led to others."""
