"""How the events of a season count together."""

from __future__ import annotations

from typing import Final

from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.core.log.columns import column
from league.core.log.nouns import Noun
from league.standings.season.models import Season


class Per(models.TextChoices):
    """What the points of a season's events are made of."""

    EVENT = "event", _("the final rank at each event")
    GAME = "game", _("the points from each event’s games")


class EventCounting(models.Model):
    """How the events of a season count together. Without it, a season only has the table of its
    games.

    `best`: how many events of each player count, None: all. `points_table`: per event, the points
    of rank 1, 2, …; None: one point for each player left behind."""

    season = models.OneToOneField(
        Season, on_delete=models.PROTECT, primary_key=True, related_name="event_counting"
    )
    per = column(
        models.CharField(
            "an event counts by", max_length=8, choices=Per.choices, default=Per.EVENT
        ),
        setting=True,
    )
    best = column(
        models.PositiveSmallIntegerField(
            "best events",
            null=True,
            blank=True,
            validators=[MinValueValidator(1), MaxValueValidator(200)],
        ),
        setting=True,
    )
    points_table = column(
        ArrayField(models.PositiveSmallIntegerField(), null=True, blank=True), setting=True
    )

    def __str__(self) -> str:
        return f"{self.season_id}: {self.per}"


COUNTING: Final = Noun("counting", EventCounting, club="season__club", named=("season__public_id",))
