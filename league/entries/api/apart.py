"""Pairs who should not sit at one table."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers

from league.entries.api.entry import EntryView
from league.entries.api.member import EntrantSerializer
from league.entries.models import Apart
from league.entries.services.entry import entries_keep_apart
from league.events.models import Event
from league.frame.api.operation import reads
from league.frame.api.serializers import Body, IdsField, Serializer
from league.log.services import Actor
from league.seasons.api.writing import changes


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

    entries = IdsField(2, min_length=2)
    must = serializers.BooleanField(allow_null=True)


class ApartPairs(EntryView):
    """The pairs that are kept apart at an event."""

    for_organisers = True

    def get_serializer_context(self) -> dict[str, Any]:
        """Nothing: a pair is told to organisers as it is."""
        return {}

    @reads("Who is kept apart", ApartSerializer(many=True))
    def list_apart(self, event: Event) -> QuerySet[Apart]:
        """The pairs that draws don't seat at one table if it can be avoided, or never; for organisers."""
        people = ("first__player__merged_into", "second__player__merged_into")
        return Apart.objects.filter(event=event).select_related(*people).order_by("pk")

    @changes("Keep two apart", ApartBody, ApartSerializer)
    def keep_apart(self, event: Event, body: dict[str, Any], actor: Actor) -> Apart:
        """Have two not sit at one table, or let them again, as an organiser; the next draw heeds it."""
        entries = self.named_entries(body["entries"])
        first, second = entries[0], entries[-1]
        entries_keep_apart(first=first, second=second, must=body["must"], actor=actor)
        return Apart(first=first, second=second, must=body["must"])
