"""Seasons by their events."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response

from engine.scoring.event_points import EventPoints, EventsRow, explain_events
from engine.scoring.wording import written
from league.clubs.api.player import PlayerSerializer, player_json
from league.counting.models import EventCounting
from league.counting.queries.counting import counting_of, events_ranking
from league.counting.services.counting import counting_change
from league.events.api.series import SeriesView
from league.frame.api.links import event_link
from league.frame.api.operation import reads
from league.frame.api.serializers import MessageSerializer, ModelSerializer, Serializer
from league.log.services import Actor
from league.seasons.api.view import BoardView
from league.seasons.api.writing import changes
from league.seasons.models import Season
from league.seasons.queries.board import Board


class EventPointsSerializer(Serializer):
    """The points that an event brought a player in the season."""

    event = serializers.SerializerMethodField()
    name = serializers.CharField()
    rank = serializers.IntegerField(help_text="Among those who count.")
    points = serializers.SerializerMethodField()
    by = serializers.SerializerMethodField(help_text="The substitute who played.")

    def get_event(self, row: EventPoints) -> str:
        """Its address."""
        return event_link(self.context["club"], row.event)

    def get_points(self, row: EventPoints) -> str:
        """The exact points: `12`, `9 1/3`."""
        return written(row.points)

    @extend_schema_field(PlayerSerializer(allow_null=True))
    def get_by(self, row: EventPoints) -> dict[str, Any] | None:
        """The substitute, if there was one."""
        return player_json(*self.context["people"][row.by]) if row.by else None


class EventsRowSerializer(Serializer):
    """A row of a season's ranking by its events. `dropped` are events beyond the best ones that count."""

    rank = serializers.IntegerField()
    player = serializers.SerializerMethodField()
    points = serializers.SerializerMethodField()
    counted = EventPointsSerializer(many=True)
    dropped = EventPointsSerializer(many=True)
    why = serializers.SerializerMethodField()

    @extend_schema_field(PlayerSerializer)
    def get_player(self, row: EventsRow) -> dict[str, Any]:
        """The player of the row."""
        return player_json(*self.context["people"][row.player])

    def get_points(self, row: EventsRow) -> str:
        """Exact: `12`, `9 1/3`."""
        return written(row.points)

    @extend_schema_field(MessageSerializer(many=True))
    def get_why(self, row: EventsRow) -> list[dict[str, Any]]:
        """The sentences that explain the row."""
        names = {public_id: player.name for public_id, player in self.context["people"].items()}
        return [MessageSerializer(message).data for message in explain_events(row, names)]


class CountingSerializer(ModelSerializer[EventCounting]):
    """The way in which the events of a season count together. `per` null: they don't, and there is the table of its
    games alone."""

    points_table = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=10_000), required=False, allow_null=True, min_length=1,
        max_length=100, help_text="The points of rank 1, 2, …; null: one for everybody left behind.",
    )  # fmt: skip

    class Meta:
        model = EventCounting
        fields = ("per", "best", "points_table")
        extra_kwargs: ClassVar = {
            "per": {"required": True, "allow_null": True, "help_text": "Null: they don't."},
            "best": {"help_text": "Only so many events of each player count; null: all."},
        }

    def to_representation(self, instance: EventCounting | None) -> dict[str, Any]:
        """The settings; all null for none."""
        return dict(super().to_representation(instance) if instance else dict.fromkeys(self.fields))


EXAMPLE: Final = {"per": "event", "best": 4, "points_table": [10, 6, 4, 3, 2, 1]}


class SeasonEvents(BoardView):
    """The rankings of seasons by their events."""

    @reads("A season by its events", EventsRowSerializer(many=True))
    def list_season_events(self, board: Board) -> Response:
        """The points of a season's events for everybody, best first; 404 where events don't count together."""
        counting = counting_of(board.season) if board.season else None
        if board.season is None or counting is None:
            raise Season.DoesNotExist
        rows, people = events_ranking(board.season, counting)
        return self.paged(rows, EventsRowSerializer, club=board.club.slug, people=people)


class SeasonCounting(SeriesView):
    """The settings by which the events of a season count together."""

    @reads("How a season's events count", CountingSerializer)
    def get_season_counting(self, season: Season) -> EventCounting | None:
        """Tell whether and how the events of a season count together."""
        return counting_of(season)

    @changes("Say how a season's events count", CountingSerializer, CountingSerializer, example=EXAMPLE)
    def set_season_counting(self, season: Season, body: dict[str, Any], actor: Actor) -> EventCounting | None:
        """Say whether and how the events of a season count together, as an organiser, in place of what was said
        before."""
        counting_change(season=season, actor=actor, **body)
        return counting_of(season)
