"""Seasons by their events, their divisions, and closing them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.utils.functional import cached_property
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response

from engine.scoring.event_points import EventPoints, EventsRow, explain_events
from engine.scoring.wording import written
from league.core.club.models import Club
from league.core.frame.api.links import event_link, player_link
from league.core.frame.api.operation import reads
from league.core.frame.api.serializers import (
    Body,
    FormattedField,
    IdsField,
    MessageSerializer,
    ModelSerializer,
    Serializer,
    list_of,
)
from league.core.log.services import Actor
from league.core.player.api import PlayerSerializer, player_json
from league.counting.event_counting.models import EventCounting
from league.counting.event_counting.queries import counting_of, divisions_of, events_ranking
from league.counting.event_counting.services import (
    MOST_DIVISIONS,
    SETTINGS,
    counting_change,
    divisions_set,
)
from league.events.series.api import SeriesView
from league.standings.division.models import Division
from league.standings.ranked_game.queries.provisional import provisional_players
from league.standings.ranking.api.view import BoardView, WriteView, changes
from league.standings.season.models import Season


class EventPointsSerializer(Serializer):
    """The points an event earned a player in the season."""

    event = serializers.SerializerMethodField()
    name = serializers.CharField()
    rank = serializers.IntegerField(help_text="The rank among those who count.")
    points = FormattedField(written, "points", help_text="The exact points: `12`, `9 1/3`.")
    by = serializers.SerializerMethodField(help_text="The substitute who played.")

    def get_event(self, row: EventPoints) -> str:
        """The address of the event in the API."""
        return event_link(self.context["club"], row.event)

    @extend_schema_field(PlayerSerializer(allow_null=True))
    def get_by(self, row: EventPoints) -> dict[str, Any] | None:
        """The substitute, if there was one."""
        return player_json(*self.context["people"][row.by]) if row.by else None


class EventsRowSerializer(Serializer):
    """A row of a season's ranking by its events. `dropped` are events beyond the best ones, which
    don't count."""

    rank = serializers.IntegerField()
    player = serializers.SerializerMethodField()
    points = FormattedField(written, "points", help_text="Exact: `12`, `9 1/3`.")
    counted = EventPointsSerializer(many=True)
    dropped = EventPointsSerializer(many=True)
    provisional = serializers.SerializerMethodField(
        help_text=(
            "True while somebody objects to the result of one of the player's games in this season."
        )
    )
    why = serializers.SerializerMethodField()

    def get_provisional(self, row: EventsRow) -> bool:
        """Whether a result of the player is disputed."""
        return row.player in self.context["provisional"]

    @extend_schema_field(PlayerSerializer)
    def get_player(self, row: EventsRow) -> dict[str, Any]:
        """The player of the row."""
        return player_json(*self.context["people"][row.player])

    @extend_schema_field(MessageSerializer(many=True))
    def get_why(self, row: EventsRow) -> list[dict[str, Any]]:
        """The sentences that explain the row."""
        names = {public_id: player.name for public_id, player in self.context["people"].items()}
        return [MessageSerializer(message).data for message in explain_events(row, names)]


class CountingSerializer(ModelSerializer[EventCounting]):
    """How a season's events count towards it. `per` null: they don't, and the season only has the
    table of its games."""

    points_table = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=10_000),
        required=False,
        allow_null=True,
        min_length=1,
        max_length=100,
        help_text="The points for rank 1, 2, …; null: one for each player you finish ahead of.",
    )

    class Meta:
        model = EventCounting
        fields = SETTINGS
        extra_kwargs = {"per": {"required": True, "allow_null": True}}
        help_texts = {
            "per": "Null: they don't.",
            "best": "How many of each player's events count; null: all of them.",
        }

    def to_representation(self, instance: EventCounting | None) -> dict[str, Any]:
        """Return the settings; all null without any."""
        return dict(super().to_representation(instance) if instance else dict.fromkeys(self.fields))


COUNTING: Final = {"per": "event", "best": 4, "points_table": [10, 6, 4, 3, 2, 1]}


class SeasonCounting(SeriesView):
    """Views of how the events of a season count together."""

    @reads("How a season's events count", CountingSerializer)
    def get_season_counting(self, season: Season) -> EventCounting | None:
        """Whether and how a season's events count towards it."""
        return counting_of(season)

    @changes(
        "Set how a season's events count", CountingSerializer, CountingSerializer, example=COUNTING
    )
    def set_season_counting(
        self, season: Season, body: dict[str, Any], actor: Actor
    ) -> EventCounting | None:
        """Set whether and how a season's events count towards it, as an organiser. This replaces
        the former settings."""
        counting_change(season=season, actor=actor, **body)
        return counting_of(season)


MOST_PLAYERS: Final = 10_000
"""The most players in a division."""
DIVISIONS: Final = {
    "divisions": [{"name": "A", "down": 2, "players": ["h7mzt3kd9q"]}, {"name": "B", "up": 2}],
}


class DivisionPlayerSerializer(Serializer):
    """A player of a division, with the rank there."""

    id_ = serializers.CharField()
    name = serializers.CharField()
    url = serializers.CharField()
    rank = serializers.IntegerField()

    def to_representation(self, instance: tuple[str, str, int]) -> dict[str, Any]:
        """Return a player of `DivisionRows`."""
        player, name, rank = instance
        return {"id": player, "name": name, "url": player_link(player), "rank": rank}


class DivisionSerializer(ModelSerializer[Division]):
    """A division of a season. `up` and `down`: how many move when the season is closed."""

    id_ = serializers.CharField(source="public_id", read_only=True)
    players = DivisionPlayerSerializer(many=True, read_only=True)

    class Meta:
        model = Division
        fields = ("id_", "name", "up", "down", "players")
        extra_kwargs = {name: {"default": 0} for name in ("up", "down")}


class DivisionSettingSerializer(DivisionSerializer):
    """A division: how many go up and down, and the ids of its players."""

    players = IdsField(MOST_PLAYERS, default=list)  # type: ignore[assignment]


class DivisionsBody(Body):
    """All divisions of a season, the highest first; divisions that aren't listed are deleted."""

    divisions = list_of(DivisionSettingSerializer, least=0, most=MOST_DIVISIONS)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a player who is named twice."""
        ids = [player for division in attrs["divisions"] for player in division["players"]]
        if len(set(ids)) < len(ids):
            raise serializers.ValidationError({"divisions": "Name each player once."})
        return attrs


class SeasonTables(BoardView, WriteView):
    """Views of seasons' rankings by events and of their divisions."""

    @cached_property
    def club(self) -> Club:
        """Return the season's club. Raise `Season.DoesNotExist`, also for the all-time ranking,
        which has no divisions."""
        self.get_object()
        return self.board.club

    def get_object(self) -> Season:
        """Return the season. Raise `Season.DoesNotExist`."""
        if self.board.season is None:
            raise Season.DoesNotExist
        return self.board.season

    @reads("A season's ranking by events", EventsRowSerializer(many=True))
    def list_season_events(self, season: Season) -> Response:
        """All players' points from a season's events, best first; 404 if its events don't count."""
        counting = counting_of(season)
        if counting is None:
            raise Season.DoesNotExist
        rows, people = events_ranking(season, counting)
        provisional = provisional_players(season.ranking_id)
        return self.paged(
            rows,
            EventsRowSerializer,
            club=self.board.club.slug,
            people=people,
            provisional=provisional,
        )

    @reads("A season's divisions", DivisionSerializer(many=True))
    def list_divisions(self, season: Season) -> Sequence[Any]:
        """The divisions of a season with their players, the highest first."""
        return divisions_of(season)

    @changes(
        "Set who plays in which division",
        DivisionsBody,
        DivisionSerializer(many=True),
        example=DIVISIONS,
    )
    def set_divisions(self, season: Season, body: dict[str, Any], actor: Actor) -> Sequence[Any]:
        """Set the divisions of a season and their players, as an organiser. They replace the former
        ones."""
        divisions = []
        players = {}
        for number, division in enumerate(body["divisions"], start=1):
            divisions.append((division["name"], division["up"], division["down"]))
            players.update(dict.fromkeys(division["players"], number))
        divisions_set(season=season, actor=actor, divisions=divisions, players=players)
        return divisions_of(season)
