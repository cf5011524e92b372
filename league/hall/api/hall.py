"""The hall of an event: its places, and the times at which tables are played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from engine.pairing.timetables.timetable_input import MOST_SLOTS
from games.models.public_id import LENGTH
from league.events.api.view import EventWriteView, actor
from league.events.queries.event import event_versions
from league.frame.api.body import Body, ModelSerializer, Serializer, bad_value, value_fault
from league.frame.api.document import change_documented, documented
from league.frame.api.links import event_link
from league.frame.api.parameters import Paged, SeenBy
from league.hall.domain.hall import Hall
from league.hall.models import LAST_NUMBER, HallPlace, Slot
from league.hall.queries.hall import hall_of
from league.hall.services.hall import LONGEST, place_change, place_drop, places_add, slot_drop, slots_add
from league.seasons.api.view import SeenListView

DROPPED: Final = "dropped"
"""The status of a place or a time that is taken away: there is no such one any more."""


class ClosedField(serializers.ListField):
    """Ids of the times when a place isn't to be had; the model has their row ids."""

    child = serializers.CharField(max_length=LENGTH)

    def to_representation(self, data: Sequence[int]) -> list[str]:
        """The public ids, in the order of the times."""
        return [slot.public_id for slot in self.context["hall"].slots if slot.pk in data]


class HallPlaceSerializer(ModelSerializer[HallPlace]):
    """A place at which a table can be played, in a context with its `hall`. In a change what is left out stays."""

    id = serializers.CharField(source="public_id", read_only=True)
    closed = ClosedField(max_length=MOST_SLOTS, help_text="Ids of the times when it isn't to be had.")
    url = serializers.SerializerMethodField()

    class Meta:
        model = HallPlace
        fields = ["id", "number", "room", "size", "closed", "url"]
        read_only_fields = ["number"]
        extra_kwargs: ClassVar[dict[str, dict[str, Any]]] = {"size": {"help_text": "How many can sit there."}}

    def get_url(self, place: HallPlace) -> str:
        """The address of the place."""
        event = self.context["hall"].event
        return f"{event_link(event.club.slug, event.slug)}places/{place.public_id}/"


class HallPlacesSerializer(Serializer):
    """The places that are new."""

    results = HallPlaceSerializer(many=True)


class PlacesBody(HallPlaceSerializer):
    """Places with the numbers from `first` to `last`, as in “tables 1 to 8 in the cellar, 4 seats each”."""

    first = serializers.IntegerField(min_value=1, max_value=LAST_NUMBER)
    last = serializers.IntegerField(min_value=1, max_value=LAST_NUMBER)

    class Meta(HallPlaceSerializer.Meta):
        fields = ["first", "last", "room", "size"]
        extra_kwargs = {"room": {"default": ""}, "size": {"default": 6}}


class SlotSerializer(ModelSerializer[Slot]):
    """A time at which tables are played, in a context with its `event`."""

    id = serializers.CharField(source="public_id")
    url = serializers.SerializerMethodField()

    class Meta:
        model = Slot
        fields = ["id", "starts_at", "ends_at", "url"]

    def get_url(self, slot: Slot) -> str:
        """The address of the time."""
        event = self.context["event"]
        return f"{event_link(event.club.slug, event.slug)}slots/{slot.public_id}/"


class SlotsSerializer(Serializer):
    """The times that are new."""

    results = SlotSerializer(many=True)


class SlotsBody(Body):
    """So many times one after the other, each of so many minutes, with a break of `pause` minutes after each."""

    starts_at = serializers.DateTimeField(help_text="When the first begins. RFC 3339; without offset it is UTC.")
    minutes = serializers.IntegerField(min_value=1, max_value=LONGEST)
    pause = serializers.IntegerField(default=0, min_value=0, max_value=LONGEST)
    count = serializers.IntegerField(default=1, min_value=1, max_value=MOST_SLOTS)


class DropBody(Body):
    """The end of something, and why, for the club's log."""

    status = serializers.ChoiceField([DROPPED])
    reason = serializers.CharField(required=False, allow_blank=True, max_length=500)


class HallView(EventWriteView, SeenListView):
    """A view of a hall, which organisers alone see."""

    def named_slots(self, hall: Hall, ids: list[str], member: str) -> list[int]:
        """The row ids of the times that a member of the body names. Raises a problem 400 for one that isn't there."""
        slots = {slot.public_id: slot.pk for slot in hall.slots}
        faults = [
            value_fault(f"/{member}/{place}", "The event has no such time.", "no_such_slot")
            for place, slot_id in enumerate(ids)
            if slot_id not in slots
        ]
        if faults:
            raise bad_value(faults)
        return [slots[slot_id] for slot_id in ids]

    def place(self, hall: Hall, place_id: str) -> HallPlace:
        """A place of the hall. Raises `HallPlace.DoesNotExist`."""
        place = hall.place(place_id)
        if place is None:
            raise HallPlace.DoesNotExist
        place.event = hall.event
        return place

    def slot(self, hall: Hall, slot_id: str) -> Slot:
        """A time of the hall. Raises `Slot.DoesNotExist`."""
        slot = hall.slot(slot_id)
        if slot is None:
            raise Slot.DoesNotExist
        slot.event = hall.event
        return slot


class Places(HallView):
    """The places of an event."""

    @documented("list_places", "An event's places", HallPlaceSerializer(many=True), problems=[404], parameters=[Paged])
    def get(self, request: Request, club: str, event: str) -> HttpResponseBase:
        """The places at which tables can be played, by their numbers; for organisers."""
        row = self.run_event(club, event)

        def answer() -> HttpResponseBase:
            hall = hall_of(row)
            return self.paged(hall.places, HallPlaceSerializer, hall=hall)

        return self.unless_unchanged(event_versions(row), answer)

    @change_documented(
        "add_places", "Put up places", PlacesBody, HallPlacesSerializer,
        example={"first": 1, "last": 8, "room": "Cellar", "size": 4},
    )  # fmt: skip
    def post(self, request: Request, club: str, event: str) -> Response:
        """Put up places with numbers in a row, as an organiser."""
        row = self.event(club, event)
        account = self.organiser(row.club)
        request_body = self.sent()
        settings = PlacesBody.of(request_body.content)

        def add() -> dict[str, Any]:
            places = places_add(event=row, actor=actor(account), **settings)
            return HallPlacesSerializer({"results": places}, context={"hall": hall_of(row)}).data

        return self.done(request_body, add)


class OnePlace(HallView):
    """One place of an event."""

    parameters = SeenBy

    @documented("get_place", "A place", HallPlaceSerializer, problems=[404], parameters=[SeenBy])
    def get(self, request: Request, club: str, event: str, place: str) -> HttpResponseBase:
        """One place at which tables can be played; for organisers."""
        hall = hall_of(self.run_event(club, event))
        answer = HallPlaceSerializer(self.place(hall, place), context={"hall": hall})
        return self.unless_unchanged(event_versions(hall.event), lambda: Response(answer.data))

    @change_documented("change_place", "Change a place", HallPlaceSerializer(partial=True), HallPlaceSerializer)
    def patch(self, request: Request, club: str, event: str, place: str) -> Response:
        """Change a place's room, its seats, and when it isn't to be had, as an organiser; what is left out stays."""
        owner = self.event(club, event)
        account = self.organiser(owner.club)
        hall = hall_of(owner)
        row = self.place(hall, place)
        request_body = self.sent()
        body = HallPlaceSerializer.of(request_body.content, partial=True)
        closed = self.named_slots(hall, body["closed"], "closed") if "closed" in body else row.closed
        settings = {"room": row.room, "size": row.size, **body, "closed": closed}

        def change() -> dict[str, Any]:
            place_change(place=row, actor=actor(account), **settings)
            changed = hall_of(owner)
            return HallPlaceSerializer(self.place(changed, place), context={"hall": changed}).data

        return self.done(request_body, change)


class PlaceStatus(HallView):
    """The way of a place out of the hall."""

    @change_documented("drop_place", "Take a place away", DropBody, HallPlaceSerializer, example={"status": DROPPED})
    def post(self, request: Request, club: str, event: str, place: str) -> Response:
        """Take a place away, as an organiser, unless a timetable that is in use has a table there."""
        owner = self.event(club, event)
        account = self.organiser(owner.club)
        hall = hall_of(owner)
        row = self.place(hall, place)
        request_body = self.sent()
        body = DropBody.of(request_body.content)

        def drop() -> dict[str, Any]:
            place_drop(place=row, actor=actor(account, body.get("reason", "")))
            return HallPlaceSerializer(row, context={"hall": hall}).data

        return self.done(request_body, drop)


class HallSlots(HallView):
    """The times of an event."""

    @documented("list_slots", "An event's times", SlotSerializer(many=True), problems=[404], parameters=[Paged])
    def get(self, request: Request, club: str, event: str) -> HttpResponseBase:
        """The times at which tables are played, in order; for organisers."""
        row = self.run_event(club, event)
        slots = Slot.objects.filter(event=row).order_by("starts_at")
        return self.unless_unchanged(event_versions(row), lambda: self.paged(slots, SlotSerializer, event=row))

    @change_documented(
        "add_slots", "Plan times", SlotsBody, SlotsSerializer,
        example={"starts_at": "2026-12-03T18:30:00Z", "minutes": 45, "pause": 10, "count": 4},
    )  # fmt: skip
    def post(self, request: Request, club: str, event: str) -> Response:
        """Plan times one after the other, as an organiser; none may overlap another."""
        row = self.event(club, event)
        account = self.organiser(row.club)
        request_body = self.sent()
        settings = SlotsBody.of(request_body.content)

        def add() -> dict[str, Any]:
            slots = slots_add(event=row, actor=actor(account), **settings)
            return SlotsSerializer({"results": slots}, context={"event": row}).data

        return self.done(request_body, add)


class OneSlot(HallView):
    """One time of an event."""

    parameters = SeenBy

    @documented("get_slot", "A time", SlotSerializer, problems=[404], parameters=[SeenBy])
    def get(self, request: Request, club: str, event: str, slot: str) -> HttpResponseBase:
        """One time at which tables are played; for organisers."""
        hall = hall_of(self.run_event(club, event))
        answer = SlotSerializer(self.slot(hall, slot), context={"event": hall.event})
        return self.unless_unchanged(event_versions(hall.event), lambda: Response(answer.data))


class SlotStatus(HallView):
    """The way of a time out of the event."""

    @change_documented("drop_slot", "Take a time away", DropBody, SlotSerializer, example={"status": DROPPED})
    def post(self, request: Request, club: str, event: str, slot: str) -> Response:
        """Take a time away, with what was said about who can't play then, as an organiser, unless a timetable that is
        in use has a table then."""
        owner = self.event(club, event)
        account = self.organiser(owner.club)
        row = self.slot(hall_of(owner), slot)
        request_body = self.sent()
        body = DropBody.of(request_body.content)

        def drop() -> dict[str, Any]:
            slot_drop(slot=row, actor=actor(account, body.get("reason", "")))
            return SlotSerializer(row, context={"event": owner}).data

        return self.done(request_body, drop)
