"""Hearings, for programs."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet

from games.models import Game
from league.core.frame.api.links import game_link
from league.core.frame.api.operation import reads
from league.core.frame.api.serializers import LinkField, ModelSerializer, TimeField
from league.core.log.services import Actor
from league.disputes.hearing.models import Hearing
from league.disputes.hearing.queries import hearings_open
from league.disputes.hearing.services import hearing_open
from league.disputes.objection.api import ClubCases, EventCases
from league.events.event.models import Event
from league.standings.ranking.api.view import GameView, WriteView, changes


class HearingSerializer(ModelSerializer[Hearing]):
    """A hearing about a game: an arbiter asks its players. A ruling ends it."""

    game = LinkField(game_link, "game.public_id")
    reminded_at = TimeField(
        source="reminder.reminded_at",
        default=None,
        allow_null=True,
        help_text=(
            "When the arbiter who opened it was reminded, after three days. null: they haven't "
            "been."
        ),
    )
    escalated_at = TimeField(
        source="reminder.escalated_at",
        default=None,
        allow_null=True,
        help_text=(
            "When everybody who can rule was told that it is waiting, after seven days. null: "
            "they haven't been."
        ),
    )

    class Meta:
        model = Hearing
        fields = [
            "id",
            "game",
            "number",
            "word",
            "role",
            "opened_at",
            "reminded_at",
            "escalated_at",
        ]
        read_only_fields = ["number", "role", "opened_at"]
        help_texts = {"word": "The question for the table."}


class HearingBody(ModelSerializer[Hearing]):
    """The question to the players of a game."""

    class Meta:
        model = Hearing
        fields = ["word"]


class ClubHearings(ClubCases):
    """The open hearings of a club."""

    def get_object(self) -> QuerySet[Hearing]:
        """Return the hearings that no ruling has ended."""
        return hearings_open(Q(season_game__season__club=self.club))

    @reads("A club's open hearings", HearingSerializer(many=True), for_writers=True)
    def list_hearings(self, hearings: QuerySet[Hearing]) -> QuerySet[Hearing]:
        """Return the hearings waiting for a ruling, the oldest first; for arbiters and
        organisers."""
        return hearings


class EventHearings(EventCases):
    """The open hearings about games of one event."""

    @reads("An event's open hearings", HearingSerializer(many=True), for_writers=True)
    def list_event_hearings(self, event: Event) -> QuerySet[Hearing]:
        """Return the hearings at an event waiting for a ruling, the oldest first; for those who rule
        there."""
        return hearings_open(Q(table_game__table__stage_round__stage__event=event))


class GameHearings(GameView, WriteView):
    """Hearings about one game."""

    right = "league.rule_on_game"
    ground = "game"
    refusal = "Arbiters and organisers of the club, or at the event, may do this."

    @changes(
        "Hear the table", HearingBody, HearingSerializer, example={"word": "Who called, and when?"}
    )
    def open_hearing(self, game: Game, body: dict[str, Any], actor: Actor) -> Hearing:
        """Open a hearing about a game, also after the time for objections. The result is
        provisional until you rule."""
        return hearing_open(game=game, word=body["word"], actor=actor)
