"""The hall of an event, and the names of its places and times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from league.events.event.models import Event
from league.floor.hall.models import Away, HallPlace, Slot

WEEK: Final = timedelta(days=6)


@dataclass(frozen=True, slots=True)
class Hall:
    """The places (by number) and times (slots) at which tables of an event can be played, and the
    times at which players are away."""

    event: Event
    places: tuple[HallPlace, ...]
    slots: tuple[Slot, ...]
    away: tuple[Away, ...]

    def place(self, public_id: str) -> HallPlace | None:
        """Return a place by its public id; None if there is none."""
        return next((place for place in self.places if place.public_id == public_id), None)

    def slot(self, public_id: str) -> Slot | None:
        """Return a slot by its public id; None if there is none."""
        return next((slot for slot in self.slots if slot.public_id == public_id), None)

    @property
    def slot_names(self) -> dict[str, str]:
        """Return the names of the slots, by public id, on the club's clocks."""
        return slot_names(self.slots, ZoneInfo(self.event.club.timezone))


def slot_names(slots: Sequence[Slot], zone: ZoneInfo) -> dict[str, str]:
    """Return the names of slots, by public id: the time on the club's clocks, with the day if there
    are several days.

    Two slots with the same name, in the hour that the clocks repeat, have their zones added.
    """
    starts = {slot.public_id: slot.starts_at.astimezone(zone) for slot in slots}
    all_days = {local.date() for local in starts.values()}
    day_format = ""
    if len(all_days) > 1:
        day_format = "D" if max(all_days) - min(all_days) <= WEEK else "SHORT_DATE_FORMAT"
    names = {slot_id: _moment(local, day_format) for slot_id, local in starts.items()}
    counts = Counter(names.values())
    return {
        slot_id: name if counts[name] == 1 else f"{name} {starts[slot_id]:%Z}"
        for slot_id, name in names.items()
    }


def _moment(local: datetime, day_format: str) -> str:
    time = date_format(local, "TIME_FORMAT")
    return f"{date_format(local, day_format)} {time}" if day_format else time


def place_name(place: HallPlace) -> str:
    """Return the name of a place as part of a sentence."""
    return gettext("spot %(place)s") % {"place": place}


def next_slot(slots: Sequence[Slot]) -> Slot | None:
    """Return the first slot that isn't over yet, or the first of all if all are over."""
    now = timezone.now()
    first = slots[0] if slots else None
    return next((slot for slot in slots if slot.ends_at > now), first)
