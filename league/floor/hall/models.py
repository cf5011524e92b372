"""The hall of an event: its places, its times, and the players who can't come to some of them."""

from __future__ import annotations

from typing import Final

from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from engine.pairing.timetables.timetable_input import MOST_AT_A_TABLE
from games.models.public_id import PublicModel
from league.core.frame.names import all_seen
from league.core.log.columns import column
from league.core.log.nouns import Noun, public_ids_of
from league.events.entry.models import Entry
from league.events.event.models import Event

LAST_NUMBER: Final = 9999
"""The highest number that a place can have."""


class HallPlace(PublicModel):
    """A piece of furniture at which a table can be played: its number, unlike all others at the
    event, its room, and how many can sit there. `closed` are the slots, by their row ids, at which
    it isn't to be had."""

    event = models.ForeignKey(
        Event, on_delete=models.CASCADE, related_name="hall_places", db_index=False
    )
    number = models.PositiveSmallIntegerField(
        _("number"), validators=[MinValueValidator(1), MaxValueValidator(LAST_NUMBER)]
    )
    room = column(
        models.CharField(_("room"), max_length=30, blank=True, default="", validators=[all_seen]),
        text=True,
    )
    size = column(
        models.PositiveSmallIntegerField(
            _("seats"), validators=[MinValueValidator(2), MaxValueValidator(MOST_AT_A_TABLE)]
        )
    )
    closed = ArrayField(models.IntegerField(), default=list, blank=True)

    class Meta:
        ordering = ["event", "number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="hall_place_number_once")
        ]

    def __str__(self) -> str:
        return f"{self.number} · {self.room}" if self.room else str(self.number)


class Slot(PublicModel):
    """A time of an event at which tables are played; no two overlap."""

    event: models.ForeignKey[Event, Event] = column(
        models.ForeignKey(Event, on_delete=models.CASCADE, related_name="slots", db_index=False)
    )
    starts_at = column(models.DateTimeField(_("begins")))
    ends_at = column(models.DateTimeField(_("ends")))

    class Meta:
        ordering = ["event", "starts_at"]
        constraints = [
            models.UniqueConstraint(fields=["event", "starts_at"], name="slot_once"),
            models.CheckConstraint(
                condition=models.Q(ends_at__gt=models.F("starts_at")),
                name="slot_ends_after_it_begins",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.starts_at:%Y-%m-%d %H:%M}"


PLACE: Final = Noun(
    "place",
    HallPlace,
    club="event__club",
    named=("event__public_id", "number"),
    more={"closed": public_ids_of("closed", Slot)},
)
SLOT: Final = Noun("slot", Slot, club="event__club")


class Away(models.Model):
    """A slot at which somebody can't play (`must`), or would rather not."""

    pk = models.CompositePrimaryKey("entry", "slot")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="away", db_index=False)
    slot = models.ForeignKey(Slot, on_delete=models.CASCADE, related_name="+")
    must = models.BooleanField(default=True)

    def __str__(self) -> str:
        return f"{self.entry_id} not at {self.slot_id}"


def _slots_away(*, must: bool) -> models.Func:
    """Return the expression of the times (when slots begin) at which an entry can't play (`must`),
    or would rather not."""
    template = (
        "ARRAY(SELECT slot.starts_at FROM league_away away"
        " JOIN league_slot slot ON slot.id = away.slot_id"
        " WHERE away.entry_id = %(expressions)s AND away.must = %(must)s ORDER BY slot.starts_at)"
    )
    return models.Func(
        models.F("pk"),
        template=template,
        must=must,
        output_field=ArrayField(models.DateTimeField()),
    )


IS_AWAY: Final = models.Func(
    models.F("pk"),
    template="EXISTS (SELECT FROM league_away WHERE entry_id = %(expressions)s)",
    output_field=models.BooleanField(),
)
AWAY: Final = Noun(
    "away",
    Entry,
    club="event__club",
    more={"never": _slots_away(must=True), "rather_not": _slots_away(must=False)},
    where=models.Q(IS_AWAY),
    marked=False,
)
