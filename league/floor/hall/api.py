"""The hall of an event: its places, the times of its tables, and who can't play then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.db.models import QuerySet
from rest_framework import serializers

from engine.grouping import lists_by_key
from engine.pairing.timetables.timetable_input import MOST_SLOTS
from league.core.frame.api.links import place_link, slot_link
from league.core.frame.api.operation import reads
from league.core.frame.api.problems import named
from league.core.frame.api.serializers import Body, IdsField, LinkField, ModelSerializer, TimeField
from league.core.log.services import Actor
from league.events.entry.api import EntrantSerializer
from league.events.entry.models import Entry
from league.events.entry.queries.entry import entry_rows
from league.events.event.api import EventWriteView
from league.events.event.models import Event
from league.floor.hall.models import LAST_NUMBER, Away, HallPlace, Slot
from league.floor.hall.services import (
    LONGEST,
    away_set,
    place_change,
    place_drop,
    places_add,
    slot_drop,
    slots_add,
)
from league.standings.ranking.api.view import ReasonBody, changes

DROPPED: Final = "dropped"
"""The status of a place or a time that is taken away: there is no such one any more."""
PLACES: Final = {"first": 1, "last": 8, "room": "Cellar", "size": 4}
SLOTS: Final = {"starts_at": "2026-12-03T18:30:00Z", "minutes": 45, "pause": 10, "count": 4}
OF_EVENT: Final = ("event.club.slug", "event.slug", "public_id")


class ClosedField(IdsField):
    """Ids of the times when a place isn't to be had; the model has their row ids."""

    def to_representation(self, data: Sequence[int]) -> list[str]:
        """Return the public ids, in the order of the times."""
        return [slot.public_id for slot in self.context["slots"] if slot.pk in data]


class HallPlaceSerializer(ModelSerializer[HallPlace]):
    """A place at which a table can be played, in a context with all `slots`. In a change what is
    left out stays."""

    closed = ClosedField(MOST_SLOTS, help_text="Ids of the times when it isn't available.")
    url = LinkField(place_link, *OF_EVENT, help_text="The address of the place.")

    class Meta:
        model = HallPlace
        fields = ["id", "number", "room", "size", "closed", "url"]
        read_only_fields = ["number"]
        help_texts = {"size": "How many can sit there."}


class PlacesBody(HallPlaceSerializer):
    """Places with the numbers from `first` to `last`, as in “tables 1 to 8 in the cellar, 4 seats
    each”."""

    first = serializers.IntegerField(min_value=1, max_value=LAST_NUMBER)
    last = serializers.IntegerField(min_value=1, max_value=LAST_NUMBER)

    class Meta(HallPlaceSerializer.Meta):
        fields = ["first", "last", "room", "size"]
        extra_kwargs = {"room": {"default": ""}, "size": {"default": 6}}


class SlotSerializer(ModelSerializer[Slot]):
    """A time at which tables are played."""

    url = LinkField(slot_link, *OF_EVENT, help_text="The address of the time.")

    class Meta:
        model = Slot
        fields = ["id", "starts_at", "ends_at", "url"]


class SlotsBody(Body):
    """Consecutive times: `count` of them, each of `minutes`, with a break of `pause` minutes after
    each."""

    starts_at = TimeField(help_text="When the first one starts. RFC 3339, with an offset.")
    minutes = serializers.IntegerField(min_value=1, max_value=LONGEST)
    pause = serializers.IntegerField(default=0, min_value=0, max_value=LONGEST)
    count = serializers.IntegerField(default=1, min_value=1, max_value=MOST_SLOTS)


class DropBody(ReasonBody):
    """The end of something, and why, for the club's log."""

    status = serializers.ChoiceField([DROPPED])


class HallView(EventWriteView):
    """A view of a hall."""

    def named_slots(self, ids: Sequence[str], member: str) -> list[Slot]:
        """Return the times that a member of the body names. Raise a problem 400 for one that isn't
        there."""
        slots = self.event.slots.filter(public_id__in=ids)
        return named(slots, ids, f"/{member}", "The event has no such time.", "no_such_slot")


class Places(HallView):
    """The places and the times of an event."""

    def get_object(self) -> Any:
        """Return the place, the time, or the event. Raise `ObjectDoesNotExist`."""
        if "place" in self.kwargs:
            return self.event.hall_places.get(public_id=self.kwargs["place"])
        if "slot" in self.kwargs:
            return self.event.slots.get(public_id=self.kwargs["slot"])
        return self.event

    def get_serializer_context(self) -> dict[str, Any]:
        """Return the times of the event."""
        return {"slots": self.event.slots.order_by("starts_at")}

    @reads("An event's places", HallPlaceSerializer(many=True), for_organisers=True)
    def list_places(self, event: Event) -> QuerySet[HallPlace]:
        """The places at which tables can be played, by their numbers; for organisers."""
        return event.hall_places.order_by("number")

    @changes("Add places", PlacesBody, HallPlaceSerializer(many=True), example=PLACES)
    def add_places(self, event: Event, body: dict[str, Any], actor: Actor) -> Sequence[HallPlace]:
        """Add places with consecutive numbers, as an organiser."""
        return places_add(event=event, actor=actor, **body)

    @reads("A place", HallPlaceSerializer, for_organisers=True)
    def get_place(self, place: HallPlace) -> HallPlace:
        """One place at which tables can be played; for organisers."""
        return place

    @changes("Change a place", HallPlaceSerializer(partial=True), HallPlaceSerializer)
    def change_place(self, place: HallPlace, body: dict[str, Any], actor: Actor) -> HallPlace:
        """Change a place's room, its seats, and when it isn't available, as an organiser. What you
        leave out stays as it is."""
        if "closed" in body:
            closed = [slot.pk for slot in self.named_slots(body["closed"], "closed")]
        else:
            closed = place.closed
        place_change(
            place=place,
            actor=actor,
            **{"room": place.room, "size": place.size, **body, "closed": closed},
        )
        return self.event.hall_places.get(pk=place.pk)

    @changes("Remove a place", DropBody, HallPlaceSerializer, example={"status": DROPPED})
    def drop_place(self, place: HallPlace, body: dict[str, Any], actor: Actor) -> HallPlace:
        """Remove a place, as an organiser, unless a timetable in use has a table there."""
        place_drop(place=place, actor=actor)
        return place

    @reads("An event's times", SlotSerializer(many=True), for_organisers=True)
    def list_slots(self, event: Event) -> QuerySet[Slot]:
        """The times at which tables are played, in order; for organisers."""
        return event.slots.order_by("starts_at")

    @changes("Add times", SlotsBody, SlotSerializer(many=True), example=SLOTS)
    def add_slots(self, event: Event, body: dict[str, Any], actor: Actor) -> Sequence[Slot]:
        """Add consecutive times, as an organiser; they can't overlap."""
        return slots_add(event=event, actor=actor, **body)

    @reads("A time", SlotSerializer, for_organisers=True)
    def get_slot(self, slot: Slot) -> Slot:
        """One time at which tables are played; for organisers."""
        return slot

    @changes("Remove a time", DropBody, SlotSerializer, example={"status": DROPPED})
    def drop_slot(self, slot: Slot, body: dict[str, Any], actor: Actor) -> Slot:
        """Remove a time, along with what was noted about who can't play then, as an organiser,
        unless a timetable in use has a table then."""
        slot_drop(slot=slot, actor=actor)
        return slot


class AwaySerializer(EntrantSerializer):
    """The times when somebody can't play (`never`) or would rather not, by their ids; in a context
    that has those of all (`away`), by the entry and by whether it must be."""

    never = serializers.SerializerMethodField()
    rather_not = serializers.SerializerMethodField()

    def get_never(self, entry: Entry) -> list[str]:
        """Return the times at which the entry can't play."""
        return list(self.context["away"].get((entry.pk, True), []))

    def get_rather_not(self, entry: Entry) -> list[str]:
        """Return the times at which the entry would rather not play."""
        return list(self.context["away"].get((entry.pk, False), []))


class AwayBody(Body):
    """Ids of times when somebody can't play or would rather not. They can play at all other times:
    this replaces what was said before."""

    never = IdsField(MOST_SLOTS, default=list, help_text="Ids of times.")
    rather_not = IdsField(MOST_SLOTS, default=list, help_text="Ids of times.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a time that is named twice."""
        if set(attrs["never"]) & set(attrs["rather_not"]):
            raise serializers.ValidationError({"rather_not": "Name each time once."})
        return attrs


class AwayTimes(HallView):
    """The times when people can't play."""

    def get_object(self) -> Any:
        """Return the entry, or the event. Raise `Entry.DoesNotExist`."""
        if "entry" in self.kwargs:
            return entry_rows(self.event).get(public_id=self.kwargs["entry"])
        return self.event

    def get_serializer_context(self) -> dict[str, Any]:
        """Return the ids of those times, by the entry and by whether it must be."""
        rows = (
            Away.objects.filter(slot__event=self.event)
            .select_related("slot")
            .order_by("entry", "slot")
        )
        return {
            "away": lists_by_key(((row.entry_id, row.must), row.slot.public_id) for row in rows)
        }

    @reads("Who can't play when", AwaySerializer(many=True), for_organisers=True)
    def list_away(self, event: Event) -> QuerySet[Entry]:
        """Everybody who has a place, with the times when they can't play or would rather not; for
        organisers."""
        return entry_rows(event).filter(status=Entry.Status.ENTERED)

    @changes(
        "Say when somebody can't play", AwayBody, AwaySerializer, example={"never": ["z2hk8vt5qd"]}
    )
    def set_away(self, entry: Entry, body: dict[str, Any], actor: Actor) -> Entry:
        """Say, as an organiser, when somebody can't play or would rather not; the next timetable
        takes it into account."""
        away = {slot.pk: True for slot in self.named_slots(body["never"], "never")}
        rather_not = self.named_slots(body["rather_not"], "rather_not")
        away |= {slot.pk: False for slot in rather_not}
        away_set(entry=entry, away=away, actor=actor)
        return entry
