"""Pairs who should not sit at one table."""

from __future__ import annotations

from typing import Any

from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.models.public_id import LENGTH
from league.entries.api.entry import EntriesWriteView
from league.entries.api.member import EntrantSerializer
from league.entries.models import Apart
from league.entries.services.entry import entries_keep_apart
from league.events.api.view import actor
from league.events.queries.event import event_versions
from league.frame.api.body import Body, Serializer
from league.frame.api.document import change_documented, documented
from league.frame.api.parameters import Paged
from league.seasons.api.view import SeenListView


class ApartSerializer(Serializer):
    """Two who should not sit at one table. `must`: never, as for one household; else if it can be avoided; null: they
    may again."""

    entries = EntrantSerializer(many=True)
    must = serializers.BooleanField(allow_null=True)

    def to_representation(self, instance: Apart) -> dict[str, Any]:
        """The pair, in the order of the model."""
        return super().to_representation({"entries": (instance.first, instance.second), "must": instance.must})


class ApartBody(Body):
    """Two entries by their ids, and how strictly they are kept apart: `true` never at one table, `false` if it can be
    avoided, null: they may again."""

    entries = serializers.ListField(child=serializers.CharField(max_length=LENGTH), min_length=2, max_length=2)
    must = serializers.BooleanField(allow_null=True)


class ApartPairs(EntriesWriteView, SeenListView):
    """The pairs that are kept apart at an event."""

    @documented("list_apart", "Who is kept apart", ApartSerializer(many=True), problems=[404], parameters=[Paged])
    def get(self, request: Request, club: str, event: str) -> HttpResponseBase:
        """The pairs that draws don't seat at one table if it can be avoided, or never; for organisers."""
        row = self.run_event(club, event)
        people = ("first__player__merged_into", "second__player__merged_into")
        pairs = Apart.objects.filter(event=row).select_related(*people).order_by("pk")
        return self.unless_unchanged(event_versions(row), lambda: self.paged(pairs, ApartSerializer))

    @change_documented("keep_apart", "Keep two apart", ApartBody, ApartSerializer)
    def post(self, request: Request, club: str, event: str) -> Response:
        """Have two not sit at one table, or let them again, as an organiser; the next draw heeds it."""
        row = self.event(club, event)
        account = self.organiser(row.club)
        request_body = self.sent()
        body = ApartBody.of(request_body.content)
        entries = self.named_entries(row, body["entries"])
        first, second = entries[0], entries[-1]

        def keep() -> dict[str, Any]:
            entries_keep_apart(first=first, second=second, must=body["must"], actor=actor(account))
            return ApartSerializer(Apart(first=first, second=second, must=body["must"])).data

        return self.done(request_body, keep)
