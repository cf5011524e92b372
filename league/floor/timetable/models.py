"""The timetable of an event: which table is played where and when."""

from __future__ import annotations

import json
from collections.abc import Collection
from hashlib import sha256
from typing import Final

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from games.models.public_id import PublicModel
from league.core.log.columns import column
from league.core.log.nouns import Noun, RowCells, plain
from league.events.event.models import Event
from league.floor.hall.models import HallPlace, Slot
from league.stages.stage.models import Stage


class Timetable(PublicModel):
    """When and where the tables of an event are played. Asking for one makes the row, with all that
    it depends on (`input`); a job makes it, once, and it is never worked out again.

    `failure` are the reasons why there is none, as messages whose names are public ids. `cost` has
    for each wish, the most important one first, how much it isn't met, and at least can't be.
    `version` rises with every change by hand."""

    class Status(models.TextChoices):
        """Where a timetable stands. One that is `dropped` was taken back, or another one took its
        place."""

        ASKED = "asked", _("being made")
        FAILED = "failed", _("could not be made")
        READY = "ready", _("not published")
        PUBLISHED = "published", _("published")
        DROPPED = "dropped", _("dropped")

    event: models.ForeignKey[Event, Event] = column(
        models.ForeignKey(
            Event, on_delete=models.PROTECT, related_name="timetables", db_index=False
        )
    )
    status = column(models.CharField(max_length=16, choices=Status.choices, default=Status.ASKED))
    ahead = models.BooleanField(default=True)
    input = column(models.TextField(), digest=True)
    failure = models.JSONField(null=True, blank=True)
    cost = models.JSONField(null=True, blank=True)
    version = models.PositiveIntegerField(default=0)
    asked_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["event", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["event"],
                condition=models.Q(status__in=["asked", "ready"]),
                name="timetable_made_once",
            ),
            models.UniqueConstraint(
                fields=["event"],
                condition=models.Q(status="published"),
                name="timetable_published_once",
            ),
        ]
        indexes = [models.Index(fields=["event"], name="timetables_of_event")]

    @property
    def proven(self) -> bool:
        """Return True if no timetable would have been better when it was made."""
        return all(cost == bound for _, cost, bound in self.cost or ())


class TimetableTable(models.Model):
    """When and where a table of a timetable is played, by its stage, its round and its number
    there: so a table that isn't drawn yet has its time, too. What the search found from the
    timetable's `input`, or who moved it by hand said."""

    timetable = models.ForeignKey(
        Timetable, on_delete=models.CASCADE, related_name="tables", db_index=False
    )
    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="+", db_index=False)
    round = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()
    slot = models.ForeignKey(Slot, on_delete=models.PROTECT, related_name="+")
    place = models.ForeignKey(HallPlace, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["timetable", "stage", "round", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["timetable", "stage", "round", "number"], name="timetable_table_once"
            )
        ]

    def __str__(self) -> str:
        return f"table {self.number} of round {self.round}"


def tables_digests(timetables: Collection[int]) -> dict[int, str]:
    """Return what the log says of the tables of timetables, by their keys: SHA-256 of when and
    where each is played."""
    tables: dict[int, list[list[object]]] = {key: [] for key in timetables}
    rows = TimetableTable.objects.filter(timetable__in=timetables).order_by(
        "stage", "round", "number"
    )
    columns = ("stage__public_id", "round", "number", "slot__starts_at", "place__number")
    for key, *values in rows.values_list("timetable", *columns):
        tables[key].append(plain(values))
    return {
        key: sha256(json.dumps(sorted(rows)).encode()).hexdigest() for key, rows in tables.items()
    }


def _add_table_digests(timetables: dict[int, RowCells]) -> None:
    made = [
        key
        for key, cells in timetables.items()
        if cells["status"] in (Timetable.Status.READY, Timetable.Status.PUBLISHED)
    ]
    for key, digest in tables_digests(made).items():
        timetables[key]["tables"] = digest


TIMETABLE: Final = Noun(
    "timetable",
    Timetable,
    club="event__club",
    more={"tables": models.Value("")},
    finish=_add_table_digests,
)
