"""The hall of an event: its places, and the times at which tables are played."""

from __future__ import annotations

from typing import Any, Final

from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from engine.pairing.timetables.timetable_input import MOST_AT_A_TABLE, MOST_SLOTS
from games.models.public_id import LENGTH
from league.events.api.view import EventWriteView, actor
from league.events.models import Event
from league.events.queries.event import event_versions
from league.frame.api.body import Body, bad_value, value_fault
from league.frame.api.document import change_documented, documented
from league.frame.api.links import event_link
from league.frame.api.parameters import Paged, SeenBy
from league.frame.names import all_seen
from league.hall.domain.hall import Hall
from league.hall.models import HallPlace, Slot
from league.hall.queries.hall import hall_of
from league.hall.services.hall import LONGEST, place_change, place_drop, places_add, slot_drop, slots_add
from league.seasons.api.view import SeenListView

DROPPED: Final = "dropped"
"""The status of a place or a time that is taken away: there is no such one any more."""


class HallPlaceShape(serializers.Serializer[None]):
    """A place at which a table can be played."""

    id = serializers.CharField()
    number = serializers.IntegerField()
    room = serializers.CharField()
    size = serializers.IntegerField(help_text="How many can sit there.")
    closed = serializers.ListField(child=serializers.CharField(), help_text="Ids of the times when it isn't to be had.")
    url = serializers.CharField()


class PlacesShape(serializers.Serializer[None]):
    """The places that are new."""

    results = HallPlaceShape(many=True)


class SlotShape(serializers.Serializer[None]):
    """A time at which tables are played."""

    id = serializers.CharField()
    starts_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField()
    url = serializers.CharField()


class SlotsShape(serializers.Serializer[None]):
    """The times that are new."""

    results = SlotShape(many=True)


def place_json(place: HallPlace, hall: Hall) -> dict[str, Any]:
    """A place of a hall as it is sent."""
    return {
        "id": place.public_id,
        "number": place.number,
        "room": place.room,
        "size": place.size,
        "closed": [slot.public_id for slot in hall.slots if slot.pk in place.closed],
        "url": f"{event_link(hall.event.club.slug, hall.event.slug)}places/{place.public_id}/",
    }


def slot_json(slot: Slot, event: Event) -> dict[str, Any]:
    """A time of an event as it is sent."""
    return {
        "id": slot.public_id,
        "starts_at": slot.starts_at,
        "ends_at": slot.ends_at,
        "url": f"{event_link(event.club.slug, event.slug)}slots/{slot.public_id}/",
    }


NIGHT: Final = event_link("zum-stern", "night-1")
PLACE: Final = {
    "id": "c6wq9kx3hm", "number": 1, "room": "Cellar", "size": 6, "closed": [], "url": f"{NIGHT}places/c6wq9kx3hm/",
}  # fmt: skip
SLOT: Final = {
    "id": "z2hk8vt5qd", "starts_at": "2026-12-03T18:30:00Z", "ends_at": "2026-12-03T19:15:00Z",
    "url": f"{NIGHT}slots/z2hk8vt5qd/",
}  # fmt: skip


class PlacesBody(Body):
    """Places with the numbers from `first` to `last`, as in “tables 1 to 8 in the cellar, 4 seats each”."""

    first = serializers.IntegerField(min_value=1, max_value=9999)
    last = serializers.IntegerField(min_value=1, max_value=9999)
    room = serializers.CharField(default="", allow_blank=True, max_length=30, validators=[all_seen])
    size = serializers.IntegerField(default=6, min_value=2, max_value=MOST_AT_A_TABLE)


class PlaceBody(Body):
    """What an organiser says of a place; what is left out stays."""

    room = serializers.CharField(allow_blank=True, max_length=30, validators=[all_seen])
    size = serializers.IntegerField(min_value=2, max_value=MOST_AT_A_TABLE)
    closed = serializers.ListField(
        child=serializers.CharField(max_length=LENGTH), max_length=MOST_SLOTS,
        help_text="Ids of the times when it isn't to be had.",
    )  # fmt: skip


class SlotsBody(Body):
    """So many times one after the other, each of so many minutes, with a break of `pause` minutes after each."""

    starts_at = serializers.DateTimeField(help_text="When the first begins. RFC 3339; without offset it is UTC.")
    minutes = serializers.IntegerField(min_value=1, max_value=LONGEST)
    pause = serializers.IntegerField(default=0, min_value=0, max_value=LONGEST)
    count = serializers.IntegerField(default=1, min_value=1, max_value=MOST_SLOTS)


class DropBody(Body):
    """That something shall be gone, and why, for the club's log."""

    status = serializers.ChoiceField([DROPPED])
    reason = serializers.CharField(required=False, allow_blank=True, max_length=500)


class HallView(EventWriteView, SeenListView):
    """A view of a hall, which organisers alone see."""

    def named_slots(self, hall: Hall, ids: list[str], member: str) -> list[int]:
        """The row ids of the times that a member of the body names. Raises a problem 400 for one that isn't there."""
        known = {slot.public_id: slot.pk for slot in hall.slots}
        faults = [
            value_fault(f"/{member}/{place}", "The event has no such time.", "no_such_slot")
            for place, id in enumerate(ids)
            if id not in known
        ]
        if faults:
            raise bad_value(faults)
        return [known[id] for id in ids]

    def place(self, hall: Hall, id: str) -> HallPlace:
        """A place of the hall. Raises `HallPlace.DoesNotExist`."""
        found = hall.place(id)
        if found is None:
            raise HallPlace.DoesNotExist
        found.event = hall.event
        return found

    def slot(self, hall: Hall, id: str) -> Slot:
        """A time of the hall. Raises `Slot.DoesNotExist`."""
        found = hall.slot(id)
        if found is None:
            raise Slot.DoesNotExist
        found.event = hall.event
        return found


class Places(HallView):
    """The places of an event."""

    @documented(
        "list_places", "An event's places", HallPlaceShape(many=True), problems=[404], parameters=[Paged], example=PLACE
    )
    def get(self, request: Request, club: str, event: str) -> HttpResponseBase:
        """The places at which tables can be played, by their numbers; for organisers."""
        found = self.run_event(club, event)

        def answer() -> HttpResponseBase:
            hall = hall_of(found)
            return self.paged(hall.places, lambda place: place_json(place, hall))

        return self.unless_unchanged(event_versions(found), answer)

    @change_documented(
        "add_places", "Put up places", PlacesBody, PlacesShape,
        example={"first": 1, "last": 8, "room": "Cellar", "size": 4}, answered={"results": [PLACE]},
    )  # fmt: skip
    def post(self, request: Request, club: str, event: str) -> Response:
        """Put up places with numbers in a row, as an organiser."""
        found = self.event(club, event)
        account = self.organiser(found.club)
        sent = self.sent()
        said = PlacesBody.of(sent.content)

        def add() -> dict[str, Any]:
            made = places_add(event=found, actor=actor(account), **said)
            hall = hall_of(found)
            return {"results": [place_json(place, hall) for place in made]}

        return self.done(sent, add)


class OnePlace(HallView):
    """One place of an event."""

    parameters = SeenBy

    @documented("get_place", "A place", HallPlaceShape, problems=[404], parameters=[SeenBy], example=PLACE)
    def get(self, request: Request, club: str, event: str, place: str) -> HttpResponseBase:
        """One place at which tables can be played; for organisers."""
        hall = hall_of(self.run_event(club, event))
        found = self.place(hall, place)
        return self.unless_unchanged(event_versions(hall.event), lambda: Response(place_json(found, hall)))

    @change_documented(
        "change_place", "Change a place", PlaceBody(partial=True), HallPlaceShape, example={"closed": ["z2hk8vt5qd"]},
        answered=PLACE | {"closed": ["z2hk8vt5qd"]},
    )  # fmt: skip
    def patch(self, request: Request, club: str, event: str, place: str) -> Response:
        """Change a place's room, its seats, and when it isn't to be had, as an organiser; what is left out stays."""
        found = self.event(club, event)
        account = self.organiser(found.club)
        hall = hall_of(found)
        row = self.place(hall, place)
        sent = self.sent()
        said = PlaceBody.of(sent.content, partial=True)
        closed = self.named_slots(hall, said["closed"], "closed") if "closed" in said else row.closed
        settings = {"room": row.room, "size": row.size, **said, "closed": closed}

        def change() -> dict[str, Any]:
            place_change(place=row, actor=actor(account), **settings)
            now = hall_of(found)
            return place_json(self.place(now, place), now)

        return self.done(sent, change)


class PlaceStatus(HallView):
    """Whether a place is there."""

    @change_documented(
        "drop_place", "Take a place away", DropBody, HallPlaceShape, example={"status": DROPPED}, answered=PLACE
    )
    def post(self, request: Request, club: str, event: str, place: str) -> Response:
        """Take a place away, as an organiser, unless a timetable that is in use has a table there."""
        found = self.event(club, event)
        account = self.organiser(found.club)
        hall = hall_of(found)
        row = self.place(hall, place)
        sent = self.sent()
        said = DropBody.of(sent.content)

        def drop() -> dict[str, Any]:
            place_drop(place=row, actor=actor(account, said.get("reason", "")))
            return place_json(row, hall)

        return self.done(sent, drop)


class HallSlots(HallView):
    """The times of an event."""

    @documented(
        "list_slots", "An event's times", SlotShape(many=True), problems=[404], parameters=[Paged], example=SLOT
    )
    def get(self, request: Request, club: str, event: str) -> HttpResponseBase:
        """The times at which tables are played, in order; for organisers."""
        found = self.run_event(club, event)
        rows = Slot.objects.filter(event=found).order_by("starts_at")
        return self.unless_unchanged(event_versions(found), lambda: self.paged(rows, lambda it: slot_json(it, found)))

    @change_documented(
        "add_slots", "Plan times", SlotsBody, SlotsShape,
        example={"starts_at": "2026-12-03T18:30:00Z", "minutes": 45, "pause": 10, "count": 4},
        answered={"results": [SLOT]},
    )  # fmt: skip
    def post(self, request: Request, club: str, event: str) -> Response:
        """Plan times one after the other, as an organiser; none may overlap another."""
        found = self.event(club, event)
        account = self.organiser(found.club)
        sent = self.sent()
        said = SlotsBody.of(sent.content)

        def add() -> dict[str, Any]:
            made = slots_add(event=found, actor=actor(account), **said)
            return {"results": [slot_json(slot, found) for slot in made]}

        return self.done(sent, add)


class OneSlot(HallView):
    """One time of an event."""

    parameters = SeenBy

    @documented("get_slot", "A time", SlotShape, problems=[404], parameters=[SeenBy], example=SLOT)
    def get(self, request: Request, club: str, event: str, slot: str) -> HttpResponseBase:
        """One time at which tables are played; for organisers."""
        hall = hall_of(self.run_event(club, event))
        found = self.slot(hall, slot)
        return self.unless_unchanged(event_versions(hall.event), lambda: Response(slot_json(found, hall.event)))


class SlotStatus(HallView):
    """Whether a time is there."""

    @change_documented("drop_slot", "Take a time away", DropBody, SlotShape, example={"status": DROPPED}, answered=SLOT)
    def post(self, request: Request, club: str, event: str, slot: str) -> Response:
        """Take a time away, with what was said about who can't play then, as an organiser, unless a timetable that is
        in use has a table then."""
        found = self.event(club, event)
        account = self.organiser(found.club)
        row = self.slot(hall_of(found), slot)
        sent = self.sent()
        said = DropBody.of(sent.content)

        def drop() -> dict[str, Any]:
            slot_drop(slot=row, actor=actor(account, said.get("reason", "")))
            return slot_json(row, found)

        return self.done(sent, drop)
