"""What services change of an event's hall, timetables and clocks, and what the club's log says of
it."""

from collections.abc import Callable
from typing import Final

from league.core.log.actions import Action
from league.core.log.services import Actor
from league.floor.clock.services import (
    round_clock_reset,
    round_clock_set,
    round_clock_start,
    round_clock_stop,
)
from league.floor.hall.actions import HallAction
from league.floor.hall.services import (
    away_set,
    place_change,
    place_drop,
    places_add,
    slot_drop,
    slots_add,
)
from league.floor.timetable.actions import TimetableAction
from league.floor.timetable.queries import timetable_facts
from league.floor.timetable.services import (
    timetable_ask,
    timetable_fail,
    timetable_make,
    timetable_move,
    timetable_publish,
    timetable_take_back,
)
from league.models import Event, HallPlace, Slot, StageRound, Timetable
from tests.factories import events, halls

ASKED, MADE, CLOCK = TimetableAction.ASKED, TimetableAction.MADE, HallAction.ROUND_CLOCK


def _round(event: Event) -> StageRound:
    return StageRound.objects.select_related("stage__event").get(stage__event=event)


def _place(event: Event) -> HallPlace:
    return HallPlace.objects.select_related("event").get(event=event, number=4)


def _slot(event: Event) -> Slot:
    return Slot.objects.select_related("event").filter(event=event).latest("starts_at")


def _clock(event: Event, *steps: Callable[..., bool]) -> None:
    round_clock_set(stage_round=_round(event), minutes=40, actor=events.ACTOR)
    for step in steps:
        step(stage_round=_round(event), actor=events.ACTOR)


def _asked(event: Event) -> Timetable:
    return timetable_ask(event=event, first=None, ahead=False, actor=events.ACTOR)


def _moved(event: Event) -> None:
    made = halls.timetable(event)
    facts = timetable_facts(event)
    key, timed = next(iter(facts.assignment(made).items()))
    move = {key: timed._replace(slot=_slot(event))}
    timetable_move(timetable=made, moves=move, version_seen=0, actor=Actor(reason="later"))


LOGGED: Final[dict[str, tuple[Callable[[Event], object], list[Action]]]] = {
    "floor.clock.round_clock_set": (_clock, [CLOCK]),
    "floor.clock.round_clock_start": (lambda it: _clock(it, round_clock_start), [CLOCK] * 2),
    "floor.clock.round_clock_stop": (
        lambda it: _clock(it, round_clock_start, round_clock_stop),
        [CLOCK] * 3,
    ),
    "floor.clock.round_clock_reset": (
        lambda it: _clock(it, round_clock_start, round_clock_reset),
        [CLOCK] * 3,
    ),
    "floor.hall.places_add": (
        lambda it: places_add(event=it, first=9, last=9, size=4, room="", actor=events.ACTOR),
        [HallAction.PLACES_CHANGED],
    ),
    "floor.hall.place_change": (
        lambda it: place_change(
            place=_place(it), room="Bar", size=4, closed=[], actor=events.ACTOR
        ),
        [HallAction.PLACES_CHANGED],
    ),
    "floor.hall.place_drop": (
        lambda it: place_drop(place=_place(it), actor=events.ACTOR),
        [HallAction.PLACES_CHANGED],
    ),
    "floor.hall.slots_add": (
        lambda it: slots_add(
            event=it, starts_at=_slot(it).ends_at, minutes=40, pause=0, count=1, actor=events.ACTOR
        ),
        [HallAction.SLOTS_CHANGED],
    ),
    "floor.hall.slot_drop": (
        lambda it: slot_drop(slot=_slot(it), actor=events.ACTOR),
        [HallAction.SLOTS_CHANGED],
    ),
    "floor.hall.away_set": (
        lambda it: away_set(
            entry=it.entries.select_related("event").earliest("number"),
            away={_slot(it).pk: True},
            actor=events.ACTOR,
        ),
        [HallAction.ENTRY_AWAY],
    ),
    "floor.timetable.timetable_ask": (_asked, [ASKED]),
    "floor.timetable.timetable_make": (
        lambda it: timetable_make(timetable_id=_asked(it).pk),
        [ASKED, MADE],
    ),
    "floor.timetable.timetable_fail": (
        lambda it: timetable_fail(timetable_id=_asked(it).pk, reasons=[]),
        [ASKED, TimetableAction.FAILED],
    ),
    "floor.timetable.timetable_move": (_moved, [ASKED, MADE, TimetableAction.CHANGED]),
    "floor.timetable.timetable_publish": (
        lambda it: timetable_publish(timetable=halls.timetable(it), actor=events.ACTOR),
        [ASKED, MADE, TimetableAction.PUBLISHED],
    ),
    "floor.timetable.timetable_take_back": (
        lambda it: timetable_take_back(timetable=halls.timetable(it), actor=events.ACTOR),
        [ASKED, MADE, TimetableAction.DROPPED],
    ),
}
