"""Who can't play when, or would rather not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from engine.pairing.timetables.timetable_input import MOST_SLOTS
from games.models.public_id import LENGTH
from league.entries.api.entry import entry_rows, player_json
from league.entries.api.member import MEMBER, MemberShape
from league.entries.models import Entry
from league.entries.queries.access import entry_of
from league.events.api.view import actor
from league.events.queries.event import event_versions
from league.frame.api.body import Body
from league.frame.api.document import change_documented, documented
from league.frame.api.parameters import Paged
from league.hall.api.hall import HallView
from league.hall.domain.hall import Hall
from league.hall.models import Away
from league.hall.queries.hall import hall_of
from league.hall.services.hall import away_set


class AwayShape(MemberShape):
    """When somebody can't play (`never`), or would rather not: ids of times."""

    never = serializers.ListField(child=serializers.CharField())
    rather_not = serializers.ListField(child=serializers.CharField())


def away_json(entry: Entry, hall: Hall, away: Sequence[Away]) -> dict[str, Any]:
    """An entry of `entry_rows`, with what was said of it, as it is sent."""
    ids = {slot.pk: slot.public_id for slot in hall.slots}
    return {
        "entry": entry.public_id,
        "player": player_json(entry.player),
        "never": [ids[row.slot_id] for row in away if row.must],
        "rather_not": [ids[row.slot_id] for row in away if not row.must],
    }


EXAMPLE: Final = {**MEMBER, "never": ["z2hk8vt5qd"], "rather_not": []}


class AwayBody(Body):
    """When somebody can't play, or would rather not, as ids of times. At all others they can: nothing else stays."""

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
    """Who can't play when."""

    @documented(
        "list_away", "Who can't play when", AwayShape(many=True), problems=[404], parameters=[Paged], example=EXAMPLE
    )
    def get(self, request: Request, club: str, event: str) -> HttpResponseBase:
        """Everybody who has a place, with the times at which they can't play, or would rather not; for organisers."""
        found = self.run_event(club, event)

        def answer() -> HttpResponseBase:
            hall = hall_of(found)
            said: dict[int, list[Away]] = {}
            for row in hall.away:
                said.setdefault(row.entry_id, []).append(row)
            entries = entry_rows(found).filter(status=Entry.Status.ENTERED)
            return self.paged(entries, lambda entry: away_json(entry, hall, said.get(entry.pk, [])))

        return self.unless_unchanged(event_versions(found), answer)


class EntryAway(HallView):
    """When one can't play."""

    @change_documented(
        "set_away", "Say when somebody can't play", AwayBody, AwayShape, example={"never": ["z2hk8vt5qd"]},
        answered=EXAMPLE,
    )  # fmt: skip
    def post(self, request: Request, club: str, event: str, entry: str) -> Response:
        """Say, as an organiser, when somebody can't play, or would rather not; the next timetable heeds it."""
        found = self.event(club, event)
        account = self.organiser(found.club)
        row = entry_of(found, entry)
        row.event = found
        sent = self.sent()
        said = AwayBody.of(sent.content)
        hall = hall_of(found)
        away = {
            pk: must
            for name, must in (("never", True), ("rather_not", False))
            for pk in self.named_slots(hall, said[name], name)
        }

        def say() -> dict[str, Any]:
            away_set(entry=row, away=away, actor=actor(account))
            now = hall_of(found)
            rows = [it for it in now.away if it.entry_id == row.pk]
            return away_json(entry_rows(found).get(pk=row.pk), now, rows)

        return self.done(sent, say)
