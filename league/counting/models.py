"""All that the events of a season count for, and who plays in which of its divisions."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.public_id import PublicModel
from league.clubs.models import Player
from league.frame.names import all_seen
from league.seasons.models import Season


class Per(models.TextChoices):
    """All that the points of a season's events are made of."""

    EVENT = "event", _("the final rank at each event")
    GAME = "game", _("what the games of each event brought")


class EventCounting(models.Model):
    """The way in which the events of a season count together. A season without it has the table of its games alone.

    `best`: only so many events of each player count, None: all. `points_table`: per event, the points of rank 1, 2, …;
    None: one point for everybody left behind.
    """

    season = models.OneToOneField(Season, on_delete=models.PROTECT, primary_key=True, related_name="event_counting")
    per = models.CharField("an event counts by", max_length=8, choices=Per.choices, default=Per.EVENT)
    best = models.PositiveSmallIntegerField(
        "best events", null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(200)]
    )
    points_table = ArrayField(models.PositiveSmallIntegerField(), null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.season_id}: {self.per}"


class Division(PublicModel):
    """A division of a season, the highest one first. `up` and `down`: how many move to the next one when the season is
    closed; the highest has nobody up, the lowest nobody down.
    """

    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="divisions", db_index=False)
    number = models.PositiveSmallIntegerField()
    name = models.CharField(_("name"), max_length=80, validators=[all_seen])
    up = models.PositiveSmallIntegerField(_("go up"), default=0, validators=[MaxValueValidator(50)])
    down = models.PositiveSmallIntegerField(_("go down"), default=0, validators=[MaxValueValidator(50)])

    class Meta:
        ordering = ["season", "number"]
        constraints = [models.UniqueConstraint(fields=["season", "number"], name="division_number_once")]

    def __str__(self) -> str:
        return self.name


class DivisionPlayer(models.Model):
    """A player of a division; nobody plays in two of a season."""

    pk = models.CompositePrimaryKey("season", "player")
    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="+", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+", db_index=False)
    division = models.ForeignKey(Division, on_delete=models.CASCADE, related_name="players")

    def __str__(self) -> str:
        return f"{self.player_id} in {self.division_id}"
