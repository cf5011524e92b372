"""Where and when the tables of an event are played: its places, its times, who can't, and the timetable."""

from __future__ import annotations

from typing import Final

from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from engine.pairing.timetables.timetable_input import MOST_AT_A_TABLE
from games.models.public_id import PublicModel
from league.entries.models import Entry
from league.events.models import Event
from league.frame.names import all_seen
from league.stages.models import Stage

LAST_NUMBER: Final = 9999
"""The highest number that a place can have."""


class HallPlace(PublicModel):
    """A piece of furniture at which a table can be played: its number, unlike all others at the event, its room, and
    how many can sit there. `closed` are the slots, by their row ids, at which it isn't to be had.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="hall_places", db_index=False)
    number = models.PositiveSmallIntegerField(
        _("number"), validators=[MinValueValidator(1), MaxValueValidator(LAST_NUMBER)]
    )
    room = models.CharField(_("room"), max_length=30, blank=True, default="", validators=[all_seen])
    size = models.PositiveSmallIntegerField(
        _("seats"), validators=[MinValueValidator(2), MaxValueValidator(MOST_AT_A_TABLE)]
    )
    closed = ArrayField(models.IntegerField(), default=list, blank=True)

    class Meta:
        ordering = ["event", "number"]
        constraints = [models.UniqueConstraint(fields=["event", "number"], name="hall_place_number_once")]

    def __str__(self) -> str:
        return f"{self.number} · {self.room}" if self.room else str(self.number)


class Slot(PublicModel):
    """A time of an event at which tables are played; no two overlap."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="slots", db_index=False)
    starts_at = models.DateTimeField(_("begins"))
    ends_at = models.DateTimeField(_("ends"))

    class Meta:
        ordering = ["event", "starts_at"]
        constraints = [
            models.UniqueConstraint(fields=["event", "starts_at"], name="slot_once"),
            models.CheckConstraint(
                condition=models.Q(ends_at__gt=models.F("starts_at")), name="slot_ends_after_it_begins"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.starts_at:%Y-%m-%d %H:%M}"


class Away(models.Model):
    """A slot at which somebody can't play (`must`), or would rather not."""

    pk = models.CompositePrimaryKey("entry", "slot")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="away", db_index=False)
    slot = models.ForeignKey(Slot, on_delete=models.CASCADE, related_name="+")
    must = models.BooleanField(default=True)

    def __str__(self) -> str:
        return f"{self.entry_id} not at {self.slot_id}"


class Timetable(PublicModel):
    """When and where the tables of an event are played. Asking for one makes the row, with all that it depends on
    (`input`); a job makes it, once, and it is never worked out again.

    `failure` are the reasons why there is none, as messages whose names are public ids. `cost` has for each wish, the
    most important one first, how much it isn't met, and at least can't be. `version` rises with every change by hand.
    """

    class Status(models.TextChoices):
        """Where a timetable stands. One that is `dropped` was taken back, or another one took its place."""

        ASKED = "asked", _("being made")
        FAILED = "failed", _("could not be made")
        READY = "ready", _("not published")
        PUBLISHED = "published", _("published")
        DROPPED = "dropped", _("dropped")

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="timetables", db_index=False)
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.ASKED)
    ahead = models.BooleanField(default=True)
    input = models.TextField()
    failure = models.JSONField(null=True, blank=True)
    cost = models.JSONField(null=True, blank=True)
    version = models.PositiveIntegerField(default=0)
    asked_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["event", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["event"], condition=models.Q(status__in=["asked", "ready"]), name="timetable_made_once"
            ),
            models.UniqueConstraint(
                fields=["event"], condition=models.Q(status="published"), name="timetable_published_once"
            ),
        ]
        indexes = [models.Index(fields=["event"], name="timetables_of_event")]

    @property
    def proven(self) -> bool:
        """True if no timetable would have been better when it was made."""
        return all(cost == bound for _, cost, bound in self.cost or ())


class TimetableTable(models.Model):
    """When and where a table of a timetable is played, by its stage, its round and its number there: so a table that
    isn't drawn yet has its time, too. What the search found from the timetable's `input`, or who moved it by hand said.
    """

    timetable = models.ForeignKey(Timetable, on_delete=models.CASCADE, related_name="tables", db_index=False)
    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="+", db_index=False)
    round = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()
    slot = models.ForeignKey(Slot, on_delete=models.PROTECT, related_name="+")
    place = models.ForeignKey(HallPlace, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["timetable", "stage", "round", "number"]
        constraints = [
            models.UniqueConstraint(fields=["timetable", "stage", "round", "number"], name="timetable_table_once")
        ]

    def __str__(self) -> str:
        return f"table {self.number} of round {self.round}"
