"""The hall of an event: its places, the times at which tables are played, and who can't play
when."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext, ngettext

from engine.pairing.timetables.timetable_input import MOST_PLACES, MOST_SLOTS
from league.core.frame.years import years_check
from league.core.log.services import Actor, Journal, changes_between
from league.events.entry.models import Entry
from league.events.event.models import Event
from league.events.event.services import course_journal
from league.floor.hall.actions import HallAction
from league.floor.hall.models import AWAY, PLACE, SLOT, Away, HallPlace, Slot
from league.floor.timetable.domain.timetable import place_of
from league.floor.timetable.models import Timetable, TimetableTable
from league.floor.timetable.queries import places_published
from league.stages.stage.domain.facts import NO_ROUND
from league.stages.stage.services.version import version_raise
from league.stages.table.models import Table

LONGEST: Final = 24 * 60
"""The most minutes of a slot, or of the break after it."""


def places_add(
    *, event: Event, first: int, last: int, size: int, room: str, actor: Actor
) -> list[HallPlace]:
    """Add places with the numbers from `first` to `last`.

    Raise `ValidationError` with messages by field if a number exists already, the last comes before
    the first, or there would be more places than a timetable can take.
    """
    if last < first:
        raise ValidationError({"last": gettext("The last number can’t be less than the first.")})
    if last - first >= MOST_PLACES:
        raise ValidationError({"last": _too_many(MOST_PLACES)})
    with hall_change(event, actor) as journal:
        numbers_before = list(
            HallPlace.objects.filter(event=event)
            .order_by("number")
            .values_list("number", flat=True)
        )
        numbers = range(first, last + 1)
        places = [
            HallPlace(event=event, number=number, room=room.strip(), size=size)
            for number in numbers
        ]
        if numbers_twice := [number for number in numbers_before if number in numbers]:
            raise ValidationError(
                {
                    "first": gettext(
                        "There’s already a spot %(number)d. Each number can be used only once, "
                        "whatever the room."
                    )
                    % {"number": numbers_twice[0]}
                }
            )
        if len(numbers_before) + len(places) > MOST_PLACES:
            raise ValidationError({"last": _too_many(MOST_PLACES)})
        # Only the numbers differ, so the first and the last place stand for all.
        places[0].full_clean(exclude=["event"], validate_constraints=False)
        places[-1].clean_fields(exclude=["event"])
        new_places = HallPlace.objects.bulk_create(places)
        after = {"first": first, "last": last, "room": places[0].room, "size": size}
        journal.add(HallAction.PLACES_CHANGED, event.public_id, {"added": after}, texts=PLACE.texts)
        journal.record(PLACE, new_places)
    return new_places


def place_change(
    *, place: HallPlace, room: str, size: int, closed: Collection[int], actor: Actor
) -> bool:
    """Change a place's room, its seats, and the slots at which it isn't available. Return False if
    nothing changed."""
    with hall_change(place.event, actor) as journal:
        row = HallPlace.objects.get(pk=place.pk)
        slot_ids = set(
            Slot.objects.filter(event=place.event_id, pk__in=closed).values_list("pk", flat=True)
        )
        before = _logged_place_settings(row)
        row.room = room.strip()
        row.size = size
        row.closed = sorted(slot_ids)
        after = _logged_place_settings(row)
        if before == after:
            return False
        row.full_clean(exclude=["event", "closed"], validate_constraints=False)
        row.save()
        if before["room"] != after["room"]:
            tables_tell(row.event_id)
        _place_log(journal, row, before, after)
    return True


def room_rewrite(*, journal: Journal, place: HallPlace, room: str) -> None:
    """Rename a room whose name contains the name of an erased player, also at the tables that were
    played there. This works even once the event is over."""
    before = _logged_place_settings(place)
    earlier_name = str(place)
    place.room = room
    place.save(update_fields=["room"])
    tables = Table.objects.filter(stage_round__stage__event=place.event_id, place=earlier_name)
    tables.update(place=str(place))
    version_raise(event=place.event_id)
    _place_log(journal, place, before, _logged_place_settings(place))


def _place_log(
    journal: Journal, place: HallPlace, before: dict[str, object], after: dict[str, object]
) -> None:
    payload = {
        "event": place.event.public_id,
        "number": place.number,
        "before": before,
        "after": after,
    }
    journal.add(HallAction.PLACES_CHANGED, place.public_id, payload, texts=PLACE.texts)
    journal.record(PLACE, [place], changes_between(before, after)["after"])


def place_drop(*, place: HallPlace, actor: Actor) -> None:
    """Delete a place. Raise `ValidationError` if a timetable in use has a table there."""
    with hall_change(place.event, actor) as journal:
        _remove_from_dropped_timetables(place.event, place=place)
        journal.add(HallAction.PLACES_CHANGED, place.event.public_id, {"dropped": place.number})
        journal.record_removal(PLACE, [place.pk])
        HallPlace.objects.filter(pk=place.pk).delete()


def slots_add(
    *, event: Event, starts_at: datetime, minutes: int, pause: int, count: int, actor: Actor
) -> list[Slot]:
    """Add `count` consecutive slots of `minutes` each, with a break of `pause` minutes between them.

    They follow the time that really passes, also in a night in which the clocks change. Raise
    `ValidationError` with messages by field for slots that overlap another, for none or too many,
    and for an implausible year.
    """
    for name, minutes_asked, least in (("minutes", minutes, 1), ("pause", pause, 0)):
        if not least <= minutes_asked <= LONGEST:
            raise ValidationError(
                {
                    name: gettext("Choose between %(least)d and %(most)d minutes.")
                    % {"least": least, "most": LONGEST}
                }
            )
    if not 1 <= count <= MOST_SLOTS:
        raise ValidationError({"count": _too_many(MOST_SLOTS)})
    years_check({"starts_at": starts_at})
    step = timedelta(minutes=minutes + pause)
    length = timedelta(minutes=minutes)
    starts = [starts_at + step * number for number in range(count)]
    with hall_change(event, actor) as journal:
        event_slots = Slot.objects.filter(event=event)
        if event_slots.count() + count > MOST_SLOTS:
            raise ValidationError({"count": _too_many(MOST_SLOTS)})
        nearby_slots = list(
            event_slots.filter(starts_at__lt=starts[-1] + length, ends_at__gt=starts[0])
        )
        if any(
            slot.starts_at < start + length and start < slot.ends_at
            for slot in nearby_slots
            for start in starts
        ):
            raise ValidationError({"starts_at": gettext("These times overlap with existing ones.")})
        new_slots = Slot.objects.bulk_create(
            Slot(event=event, starts_at=start, ends_at=start + length) for start in starts
        )
        after = {
            "starts_at": starts_at.isoformat(),
            "minutes": minutes,
            "pause": pause,
            "count": count,
            "slots": [slot.public_id for slot in new_slots],
        }
        journal.add(HallAction.SLOTS_CHANGED, event.public_id, {"added": after})
        journal.record(SLOT, new_slots)
    return new_slots


def slot_drop(*, slot: Slot, actor: Actor) -> None:
    """Delete a slot. Raise `ValidationError` if a timetable in use has a table then."""
    with hall_change(slot.event, actor) as journal:
        _remove_from_dropped_timetables(slot.event, slot=slot)
        payload = {"dropped": slot.starts_at.isoformat(), "slot": slot.public_id}
        journal.add(HallAction.SLOTS_CHANGED, slot.event.public_id, payload)
        journal.record_removal(SLOT, [slot.pk])
        journal.record(AWAY, Away.objects.filter(slot=slot.pk).values_list("entry", flat=True))
        places = list(HallPlace.objects.filter(event=slot.event_id, closed__contains=[slot.pk]))
        journal.record(PLACE, places, ["closed"])
        for place in places:
            HallPlace.objects.filter(pk=place.pk).update(
                closed=[pk for pk in place.closed if pk != slot.pk]
            )
        Slot.objects.filter(pk=slot.pk).delete()


def away_set(*, entry: Entry, away: Mapping[int, bool], actor: Actor) -> bool:
    """Store the slots, by row id, at which a player can't play (True) or would rather not (False).
    Return False if nothing changed."""
    with hall_change(entry.event, actor) as journal:
        starts = dict(Slot.objects.filter(event=entry.event_id).values_list("pk", "starts_at"))
        slots_away = {pk: must for pk, must in away.items() if pk in starts}
        if slots_away == dict(Away.objects.filter(entry=entry).values_list("slot", "must")):
            return False
        Away.objects.filter(entry=entry).delete()
        Away.objects.bulk_create(
            Away(entry=entry, slot_id=pk, must=must) for pk, must in sorted(slots_away.items())
        )
        payload = {
            name: [
                starts[pk].isoformat() for pk, must in sorted(slots_away.items()) if must is never
            ]
            for name, never in (("never", True), ("rather_not", False))
        }
        journal.add(HallAction.ENTRY_AWAY, entry.public_id, payload)
        journal.record(AWAY, [entry])
    return True


@contextmanager
def hall_change(event: Event, actor: Actor) -> Iterator[Journal]:
    """Open a transaction in which nobody else changes the course of the event, and yield its
    journal. Raise `ValidationError` if the event is over."""
    with course_journal(event, actor) as journal:
        if Event.objects.get(pk=event.pk).over:
            raise ValidationError(gettext("The event is over."))
        yield journal


def tables_tell(event_id: int, **which: object) -> None:
    """Store at the open tables of an event where and when they are played, by the published
    timetable, as part of a larger action. `which`: lookups that select some of these tables.

    Finished tables keep the places where they were played. The versions of the event's stages are
    raised, so that open pages show the change."""
    tables = Table.objects.filter(stage_round__stage__event=event_id, finished=False, **which)
    timetable_places = places_published(event_id)
    changed = []
    for table in tables.exclude(stage_round__status__in=NO_ROUND).select_related(
        "stage_round__stage"
    ):
        stage = table.stage_round.stage
        round_number = table.stage_round.number
        timetabled = place_of(
            stage,
            round_number,
            table.number,
            timetable_places.get((stage.pk, round_number, table.number)),
        )
        if (table.place, table.starts_at) != timetabled:
            table.place, table.starts_at = timetabled
            changed.append(table)
    Table.objects.bulk_update(changed, ["place", "starts_at"])
    version_raise(event=event_id)


def _too_many(most: int) -> str:
    return gettext("Choose between 1 and %(most)d: a timetable can’t hold more.") % {"most": most}


def _remove_from_dropped_timetables(event: Event, **place_or_slot: Slot | HallPlace) -> None:
    """Remove the tables at a place or a slot (`place=` or `slot=`) from timetables that were
    dropped; their stored input stays. Raise `ValidationError` if a timetable in use has a table
    there."""
    tables = TimetableTable.objects.filter(timetable__event=event, **place_or_slot)
    count = tables.filter(
        timetable__status__in=[Timetable.Status.READY, Timetable.Status.PUBLISHED]
    ).count()
    if count:
        raise ValidationError(
            ngettext(
                "The timetable has %(count)d table here: move it first, or take the timetable "
                "back.",
                "The timetable has %(count)d tables here: move them first, or take the "
                "timetable back.",
                count,
            )
            % {"count": count}
        )
    tables.filter(timetable__status=Timetable.Status.DROPPED).delete()


def _logged_place_settings(place: HallPlace) -> dict[str, object]:
    closed = Slot.objects.filter(pk__in=place.closed).values_list("public_id", flat=True)
    return {"room": place.room, "size": place.size, "closed": sorted(closed)}
