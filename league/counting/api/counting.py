"""Seasons by their events."""

from __future__ import annotations

from typing import Any, Final

from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from engine.scoring.event_points import EventPoints, EventsRow, explain_events
from engine.scoring.wording import written
from league.clubs.api.player import NAMED, PlayerNamed, named
from league.counting.domain.division import NamedPlayer
from league.counting.models import EventCounting, Per
from league.counting.queries.counting import counting_of, events_ranking
from league.counting.services.counting import counting_change
from league.events.api.series import SeriesView
from league.events.api.view import actor
from league.frame.api.body import Body
from league.frame.api.document import change_documented, documented
from league.frame.api.links import event_link
from league.frame.api.message import EXAMPLE as SENTENCE
from league.frame.api.message import MessageShape, message_json
from league.frame.api.parameters import Paged, SeenBy
from league.log.queries import log_end
from league.seasons.api.view import SeenListView
from league.seasons.models import Season
from league.seasons.queries.board import Board


class EventPointsShape(serializers.Serializer[None]):
    """What an event brought a player in the season."""

    event = serializers.CharField(help_text="Its address.")
    name = serializers.CharField()
    rank = serializers.IntegerField(help_text="Among those who count.")
    points = serializers.CharField()
    by = PlayerNamed(allow_null=True, help_text="The substitute who played.")


class EventsRowShape(serializers.Serializer[None]):
    """A row of a season's ranking by its events. `dropped` are events beyond the best ones that count."""

    rank = serializers.IntegerField()
    player = PlayerNamed()
    points = serializers.CharField(help_text="Exact: `12`, `9 1/3`.")
    counted = EventPointsShape(many=True)
    dropped = EventPointsShape(many=True)
    why = MessageShape(many=True)


def events_row_json(club: str, row: EventsRow, people: dict[str, NamedPlayer]) -> dict[str, Any]:
    """A row of a season by its events as it is sent; `people` by public id."""
    names = {id: player.name for id, player in people.items()}
    return {
        "rank": row.rank,
        "player": named(*people[row.player]),
        "points": written(row.points),
        "counted": [_points_json(club, event, people) for event in row.counted],
        "dropped": [_points_json(club, event, people) for event in row.dropped],
        "why": [message_json(message) for message in explain_events(row, names)],
    }


def _points_json(club: str, event: EventPoints, people: dict[str, NamedPlayer]) -> dict[str, Any]:
    return {
        "event": event_link(club, event.event),
        "name": event.name,
        "rank": event.rank,
        "points": written(event.points),
        "by": named(*people[event.by]) if event.by else None,
    }


EXAMPLE: Final = {
    "rank": 1, "player": NAMED, "points": "7", "dropped": [], "why": [SENTENCE],
    "counted": [
        {"event": event_link("zum-stern", "night-1"), "name": "First night", "rank": 1, "points": "7", "by": None}
    ],
}  # fmt: skip


class CountingShape(serializers.Serializer[None]):
    """How the events of a season count together. `per` null: they don't, and there is the table of its games alone."""

    per = serializers.ChoiceField(Per.choices, allow_null=True)
    best = serializers.IntegerField(allow_null=True, help_text="Only so many events of each player count; null: all.")
    points_table = serializers.ListField(
        child=serializers.IntegerField(), allow_null=True,
        help_text="The points of rank 1, 2, …; null: one for everybody left behind.",
    )  # fmt: skip


def counting_json(counting: EventCounting | None) -> dict[str, Any]:
    """How events count as it is sent."""
    return {name: getattr(counting, name) if counting else None for name in COUNTING}


COUNTING: Final = ("per", "best", "points_table")
COUNTED: Final = {"per": "event", "best": 4, "points_table": [10, 6, 4, 3, 2, 1]}


class CountingBody(Body):
    """How the events of a season shall count together."""

    per = serializers.ChoiceField(Per.choices, allow_null=True, help_text="Null: they don't.")
    best = serializers.IntegerField(required=False, allow_null=True, min_value=1, max_value=200)
    points_table = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=10_000), required=False, allow_null=True, min_length=1,
        max_length=100,
    )  # fmt: skip


class SeasonEvents(SeenListView):
    """The ranking of a season by its events."""

    @documented(
        "list_season_events", "A season by its events", EventsRowShape(many=True), problems=[404], parameters=[Paged],
        example=EXAMPLE,
    )  # fmt: skip
    def get(self, request: Request, club: str, season: str) -> HttpResponseBase:
        """What the events of a season brought everybody, best first; 404 where events don't count together."""
        board = self.board(club, season)
        return self.unless_unchanged(board.versions, lambda: self._page(board))

    def _page(self, board: Board) -> HttpResponseBase:
        counting = counting_of(board.season) if board.season else None
        if board.season is None or counting is None:
            raise Season.DoesNotExist
        rows, people = events_ranking(board.season, counting)
        return self.paged(rows, lambda row: events_row_json(board.club.slug, row, people))


class SeasonCounting(SeriesView):
    """How the events of a season count together."""

    parameters = SeenBy

    @documented(
        "get_season_counting", "How a season's events count", CountingShape, problems=[404], parameters=[SeenBy],
        example=COUNTED,
    )  # fmt: skip
    def get(self, request: Request, club: str, season: str) -> HttpResponseBase:
        """Whether and how the events of a season count together."""
        found = self.season(club, season)
        return self.unless_unchanged(
            (found.public_id, log_end(found.club_id)), lambda: Response(counting_json(counting_of(found)))
        )

    @change_documented(
        "set_season_counting", "Say how a season's events count", CountingBody, CountingShape, example=COUNTED,
        answered=COUNTED,
    )  # fmt: skip
    def post(self, request: Request, club: str, season: str) -> Response:
        """Say whether and how the events of a season count together, as an organiser, in place of what was said
        before."""
        found = self.season(club, season)
        account = self.organiser(found.club)
        sent = self.sent()
        said = CountingBody.of(sent.content)

        def change() -> dict[str, Any]:
            counting_change(season=found, actor=actor(account), **said)
            return counting_json(counting_of(found))

        return self.done(sent, change)
