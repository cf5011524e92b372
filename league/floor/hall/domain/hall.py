"""The hall of an event, and how its places and times are called."""

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
    """Where and when tables of an event can be played: places by number, slots by time, and who is
    away when."""

    event: Event
    places: tuple[HallPlace, ...]
    slots: tuple[Slot, ...]
    away: tuple[Away, ...]

    def place(self, public_id: str) -> HallPlace | None:
        """Return a place by its public id; None: there is none."""
        return next((place for place in self.places if place.public_id == public_id), None)

    def slot(self, public_id: str) -> Slot | None:
        """Return a slot by its public id; None: there is none."""
        return next((slot for slot in self.slots if slot.public_id == public_id), None)

    @property
    def slot_names(self) -> dict[str, str]:
        """Tell how its slots are called, by public id, on the club's clocks."""
        return slot_names(self.slots, ZoneInfo(self.event.club.timezone))


def slot_names(slots: Sequence[Slot], zone: ZoneInfo) -> dict[str, str]:
    """Tell how slots are called, by public id: the time on the club's clocks, with the day where
    there are several.

    In the hour that the clocks repeat, the two have their zones behind them.
    """
    starts = {slot.public_id: slot.starts_at.astimezone(zone) for slot in slots}
    days = {local.date() for local in starts.values()}
    day = ""
    if len(days) > 1:
        day = "D" if max(days) - min(days) <= WEEK else "SHORT_DATE_FORMAT"
    names = {slot_id: _moment(local, day) for slot_id, local in starts.items()}
    often = Counter(names.values())
    return {
        slot_id: name if often[name] == 1 else f"{name} {starts[slot_id]:%Z}"
        for slot_id, name in names.items()
    }


def _moment(local: datetime, day: str) -> str:
    time = date_format(local, "TIME_FORMAT")
    return f"{date_format(local, day)} {time}" if day else time


def place_name(place: HallPlace) -> str:
    """Tell how a place is called in a sentence."""
    return gettext("place %(place)s") % {"place": place}


def next_slot(slots: Sequence[Slot]) -> Slot | None:
    """Return the first slot that isn't over yet, or the first of all if they are."""
    now = timezone.now()
    return next((slot for slot in slots if slot.ends_at > now), slots[0] if slots else None)
