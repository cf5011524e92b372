"""Times at which somebody can't play, or would rather not."""

from __future__ import annotations

from typing import Any

from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from engine.pairing.timetables.timetable_input import MOST_SLOTS
from games.models.public_id import LENGTH
from league.entries.api.entry import entry_rows
from league.entries.api.member import EntrantSerializer
from league.entries.models import Entry
from league.entries.queries.access import entry_of
from league.events.api.view import actor
from league.events.queries.event import event_versions
from league.frame.api.body import Body
from league.frame.api.document import change_documented, documented
from league.frame.api.parameters import Paged
from league.hall.api.hall import HallView
from league.hall.domain.hall import Hall
from league.hall.queries.hall import hall_of
from league.hall.services.hall import away_set


class AwaySerializer(EntrantSerializer):
    """The times at which somebody can't play (`never`), or would rather not, by their ids; in an `away_context`."""

    never = serializers.SerializerMethodField()
    rather_not = serializers.SerializerMethodField()

    def get_never(self, entry: Entry) -> list[str]:
        """The times at which the entry can't play."""
        return list(self.context["away"].get((entry.pk, True), []))

    def get_rather_not(self, entry: Entry) -> list[str]:
        """The times at which the entry would rather not play."""
        return list(self.context["away"].get((entry.pk, False), []))


def away_context(hall: Hall) -> dict[str, Any]:
    """The context of `AwaySerializer`: ids of times by the entry and by whether it must be."""
    ids = {slot.pk: slot.public_id for slot in hall.slots}
    away: dict[tuple[int, bool], list[str]] = {}
    for row in hall.away:
        away.setdefault((row.entry_id, row.must), []).append(ids[row.slot_id])
    return {"away": away}


class AwayBody(Body):
    """Ids of times at which somebody can't play, or would rather not. At all others they can: nothing else stays."""

    never = serializers.ListField(
        child=serializers.CharField(max_length=LENGTH), default=list, max_length=MOST_SLOTS, help_text="Ids of times."
    )
    rather_not = serializers.ListField(
        child=serializers.CharField(max_length=LENGTH), default=list, max_length=MOST_SLOTS, help_text="Ids of times."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a time that is named twice."""
        if set(attrs["never"]) & set(attrs["rather_not"]):
            raise serializers.ValidationError({"rather_not": "Name each time once."})
        return attrs


class AwayList(HallView):
    """The times at which people can't play."""

    @documented("list_away", "Who can't play when", AwaySerializer(many=True), problems=[404], parameters=[Paged])
    def get(self, request: Request, club: str, event: str) -> HttpResponseBase:
        """Everybody who has a place, with the times at which they can't play, or would rather not; for organisers."""
        row = self.run_event(club, event)
        entries = entry_rows(row).filter(status=Entry.Status.ENTERED)
        return self.unless_unchanged(
            event_versions(row), lambda: self.paged(entries, AwaySerializer, **away_context(hall_of(row)))
        )


class EntryAway(HallView):
    """The times at which one can't play."""

    @change_documented(
        "set_away", "Say when somebody can't play", AwayBody, AwaySerializer, example={"never": ["z2hk8vt5qd"]}
    )
    def post(self, request: Request, club: str, event: str, entry: str) -> Response:
        """Say, as an organiser, when somebody can't play, or would rather not; the next timetable heeds it."""
        owner = self.event(club, event)
        account = self.organiser(owner.club)
        row = entry_of(owner, entry)
        row.event = owner
        request_body = self.sent()
        body = AwayBody.of(request_body.content)
        hall = hall_of(owner)
        away = {
            pk: must
            for name, must in (("never", True), ("rather_not", False))
            for pk in self.named_slots(hall, body[name], name)
        }

        def change() -> dict[str, Any]:
            away_set(entry=row, away=away, actor=actor(account))
            return AwaySerializer(entry_rows(owner).get(pk=row.pk), context=away_context(hall_of(owner))).data

        return self.done(request_body, change)
