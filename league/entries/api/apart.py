"""Who should not sit at one table."""

from __future__ import annotations

from typing import Any, Final

from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.models.public_id import LENGTH
from league.entries.api.entry import EntriesWriteView, player_json
from league.entries.api.member import MEMBER, MemberShape
from league.entries.models import Apart, Entry
from league.entries.services.entry import entries_keep_apart
from league.events.api.view import actor
from league.events.queries.event import event_versions
from league.frame.api.body import Body
from league.frame.api.document import change_documented, documented
from league.frame.api.parameters import Paged
from league.seasons.api.view import SeenListView


class ApartShape(serializers.Serializer[None]):
    """Two who should not sit at one table. `must`: never, as for one household; else if it can be avoided; null: they
    may again."""

    entries = MemberShape(many=True)
    must = serializers.BooleanField(allow_null=True)


def apart_json(first: Entry, second: Entry, must: bool | None) -> dict[str, Any]:
    """Two entries with players, and how strictly they are kept apart, as it is sent."""
    pair = [{"entry": entry.public_id, "player": player_json(entry.player)} for entry in (first, second)]
    return {"entries": pair, "must": must}


EXAMPLE: Final = {"entries": [MEMBER, MEMBER | {"entry": "b3hw7rk5zt"}], "must": False}


class ApartBody(Body):
    """Two entries by their ids, and how strictly they are kept apart: `true` never at one table, `false` if it can be
    avoided, null: they may again."""

    entries = serializers.ListField(child=serializers.CharField(max_length=LENGTH), min_length=2, max_length=2)
    must = serializers.BooleanField(allow_null=True)


class ApartPairs(EntriesWriteView, SeenListView):
    """Who is kept apart at an event."""

    @documented(
        "list_apart", "Who is kept apart", ApartShape(many=True), problems=[404], parameters=[Paged], example=EXAMPLE
    )
    def get(self, request: Request, club: str, event: str) -> HttpResponseBase:
        """The pairs that draws don't seat at one table if it can be avoided, or never; for organisers."""
        found = self.run_event(club, event)
        people = ("first__player__merged_into", "second__player__merged_into")
        rows = Apart.objects.filter(event=found).select_related(*people).order_by("pk")
        return self.unless_unchanged(
            event_versions(found),
            lambda: self.paged(rows, lambda pair: apart_json(pair.first, pair.second, pair.must)),
        )

    @change_documented(
        "keep_apart", "Keep two apart", ApartBody, ApartShape,
        example={"entries": ["m6tz2kq9xr", "b3hw7rk5zt"], "must": False}, answered=EXAMPLE,
    )  # fmt: skip
    def post(self, request: Request, club: str, event: str) -> Response:
        """Have two not sit at one table, or let them again, as an organiser; the next draw heeds it."""
        found = self.event(club, event)
        account = self.organiser(found.club)
        sent = self.sent()
        said = ApartBody.of(sent.content)
        entries = self.named_entries(found, said["entries"])
        first, second = entries[0], entries[-1]

        def keep() -> dict[str, Any]:
            entries_keep_apart(first=first, second=second, must=said["must"], actor=actor(account))
            return apart_json(first, second, said["must"])

        return self.done(sent, keep)
