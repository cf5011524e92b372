"""Times at which somebody can't play, or would rather not."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers

from engine.pairing.timetables.timetable_input import MOST_SLOTS
from league.entries.api.entry import entry_rows
from league.entries.api.member import EntrantSerializer
from league.entries.models import Entry
from league.events.models import Event
from league.frame.api.operation import reads
from league.frame.api.serializers import Body, IdsField
from league.hall.api.hall import HallView
from league.hall.models import Away
from league.hall.services.hall import away_set
from league.log.services import Actor
from league.seasons.api.writing import changes


class AwaySerializer(EntrantSerializer):
    """The times at which somebody can't play (`never`), or would rather not, by their ids; in a context that has those
    of all (`away`), by the entry and by whether it must be."""

    never = serializers.SerializerMethodField()
    rather_not = serializers.SerializerMethodField()

    def get_never(self, entry: Entry) -> list[str]:
        """The times at which the entry can't play."""
        return list(self.context["away"].get((entry.pk, True), []))

    def get_rather_not(self, entry: Entry) -> list[str]:
        """The times at which the entry would rather not play."""
        return list(self.context["away"].get((entry.pk, False), []))


class AwayBody(Body):
    """Ids of times at which somebody can't play, or would rather not. At all others they can: nothing else stays."""

    never = IdsField(MOST_SLOTS, default=list, help_text="Ids of times.")
    rather_not = IdsField(MOST_SLOTS, default=list, help_text="Ids of times.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a time that is named twice."""
        if set(attrs["never"]) & set(attrs["rather_not"]):
            raise serializers.ValidationError({"rather_not": "Name each time once."})
        return attrs


class AwayTimes(HallView):
    """The times at which people can't play."""

    def get_object(self) -> Any:
        """The entry, or the event. Raises `Entry.DoesNotExist`."""
        return entry_rows(self.event).get(public_id=self.kwargs["entry"]) if "entry" in self.kwargs else self.event

    def get_serializer_context(self) -> dict[str, Any]:
        """The ids of those times, by the entry and by whether it must be."""
        away: dict[tuple[int, bool], list[str]] = {}
        for row in Away.objects.filter(slot__event=self.event).select_related("slot").order_by("entry", "slot"):
            away.setdefault((row.entry_id, row.must), []).append(row.slot.public_id)
        return {"away": away}

    @reads("Who can't play when", AwaySerializer(many=True))
    def list_away(self, event: Event) -> QuerySet[Entry]:
        """Everybody who has a place, with the times at which they can't play, or would rather not; for organisers."""
        return entry_rows(event).filter(status=Entry.Status.ENTERED)

    @changes("Say when somebody can't play", AwayBody, AwaySerializer, example={"never": ["z2hk8vt5qd"]})
    def set_away(self, entry: Entry, body: dict[str, Any], actor: Actor) -> Entry:
        """Say, as an organiser, when somebody can't play, or would rather not; the next timetable heeds it."""
        days = [(body["never"], "never", True), (body["rather_not"], "rather_not", False)]
        away = {slot.pk: must for ids, member, must in days for slot in self.named_slots(ids, member)}
        away_set(entry=entry, away=away, actor=actor)
        return entry
