"""Factories of halls and timetables."""

from datetime import datetime

from league.floor.hall.services import places_add, slots_add
from league.floor.timetable.services import timetable_ask, timetable_make, timetable_publish
from league.models import Event, Slot, Timetable
from tests.factories import events

EVENING = events.BEGINS


def hall(
    event: Event, *, places: int = 4, size: int = 4, slots: int = 4, starts_at: datetime = EVENING
) -> list[Slot]:
    """So many places in the cellar, and slots of 40 minutes with a break of 10."""
    places_add(event=event, first=1, last=places, size=size, room="Cellar", actor=events.ACTOR)
    return slots_add(
        event=event, starts_at=starts_at, minutes=40, pause=10, count=slots, actor=events.ACTOR
    )


def timetable(event: Event, *, ahead: bool = False, publish: bool = False) -> Timetable:
    """A timetable from the first slot on, made as the job makes it."""
    asked = timetable_ask(event=event, first=None, ahead=ahead, actor=events.ACTOR)
    timetable_make(timetable_id=asked.pk)
    asked.refresh_from_db()
    if publish:
        timetable_publish(timetable=asked, actor=events.ACTOR)
    return asked
