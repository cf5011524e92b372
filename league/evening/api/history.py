"""The history of an event: what was changed after it had been public, or had ended."""

from __future__ import annotations

from collections.abc import Sequence

from rest_framework import serializers

from league.evening.domain.history import HistoryKind, HistoryLine
from league.evening.queries.history import event_history
from league.events.api.view import EventView
from league.events.models import Event
from league.frame.api.operation import reads
from league.frame.api.serializers import Serializer


class HistoryChangeSerializer(Serializer):
    """One thing that differs, in words; `before` or `after` may be empty."""

    what = serializers.CharField()
    before = serializers.CharField()
    after = serializers.CharField()


class HistoryLineSerializer(Serializer):
    """A line of an event's history. `stage` and `round` are numbers, null for a line about none."""

    kind = serializers.ChoiceField(HistoryKind.choices)
    at = serializers.DateTimeField()
    title = serializers.CharField()
    changes = HistoryChangeSerializer(many=True)
    reason = serializers.CharField(help_text="Empty where none was given.")
    role = serializers.CharField(
        help_text="organiser, arbiter, scorer, player, or operator; empty where the log doesn't tell."
    )
    position = serializers.IntegerField(help_text="That of the entry in the club's log.")
    stage = serializers.IntegerField(source="stage_round.stage_number", allow_null=True)
    round_ = serializers.IntegerField(source="stage_round.number", allow_null=True)


class EventHistories(EventView):
    """The histories of events."""

    @reads("An event's history", HistoryLineSerializer(many=True))
    def list_history(self, event: Event) -> Sequence[HistoryLine]:
        """What was taken back, drawn again or changed after its end, and why, the latest first; never by which
        account."""
        stages = list(event.stages.order_by("number"))
        return event_history(event, self.viewer(event.club.slug), stages)
