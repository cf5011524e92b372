"""API of the status of an event, and of its history."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rest_framework import serializers

from league.core.frame.api.operation import reads
from league.core.frame.api.serializers import Serializer, TimeField
from league.core.log.services import Actor
from league.events.event.api import EventSerializer, EventWriteView
from league.events.event.models import Event
from league.events.event.queries.event import counted_event
from league.stages.course.domain import HistoryKind, HistoryLine
from league.stages.course.queries import event_history
from league.stages.course.services.event import event_move
from league.stages.stage.queries.missing_points import missing_points
from league.standings.ranking.api.view import ReasonBody, changes


class EventStatusBody(ReasonBody):
    """The new status of an event, and optionally a reason. If an event is resumed after its end,
    everybody can read the reason."""

    status = serializers.ChoiceField(Event.Status.choices)


class HistoryChangeSerializer(Serializer):
    """A value that changed, in words; `before` or `after` may be empty."""

    what = serializers.CharField()
    before = serializers.CharField()
    after = serializers.CharField()


class HistoryLineSerializer(Serializer):
    """A line of an event's history. `stage` and `round` are numbers; null if the line is about
    none."""

    kind = serializers.ChoiceField(HistoryKind.choices)
    at = TimeField()
    title = serializers.CharField()
    changes = HistoryChangeSerializer(many=True)
    reason = serializers.CharField(help_text="Empty if none was given.")
    role = serializers.CharField(
        help_text="organiser, arbiter, scorer, player, or operator; empty if the log doesn't say."
    )
    position = serializers.IntegerField(help_text="The position of the entry in the club's log.")
    stage = serializers.IntegerField(source="stage_round.stage_number", allow_null=True)
    round_ = serializers.IntegerField(source="stage_round.number", allow_null=True)


class MovedEventSerializer(EventSerializer):
    """An event after a change of its status."""

    tables_without_points = serializers.SerializerMethodField(
        help_text=(
            "How many tables of its stages are over but give nobody points yet, because only "
            "ranks were entered."
        )
    )

    class Meta(EventSerializer.Meta):
        fields = [*EventSerializer.Meta.fields, "tables_without_points"]

    def get_tables_without_points(self, event: Event) -> int:
        """The number of tables, of all stages, that lack points."""
        return sum(missing.tables for missing in missing_points(event.stages.all()))


class EventRun(EventWriteView):
    """The status of an event, and its history."""

    @changes(
        "Change the status of an event",
        EventStatusBody,
        MovedEventSerializer,
        example={"status": "running"},
    )
    def move_event(self, event: Event, body: dict[str, Any], actor: Actor) -> Event:
        """Open an event for entries, start it, finish it, cancel it, or go one step back, as an
        organiser."""
        event_move(event=event, status=body["status"], actor=actor)
        return counted_event(event)

    @reads("An event's history", HistoryLineSerializer(many=True))
    def list_history(self, event: Event) -> Sequence[HistoryLine]:
        """List what was taken back, drawn again or changed after the event's end, and why, the
        latest first; without accounts."""
        return event_history(
            event, self.viewer(event.club.slug), list(event.stages.order_by("number"))
        )
