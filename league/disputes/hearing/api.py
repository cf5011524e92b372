"""Hearings by program."""

from __future__ import annotations

from typing import Any

from games.models import Game
from league.core.frame.api.links import game_link
from league.core.frame.api.serializers import LinkField, ModelSerializer
from league.core.log.services import Actor
from league.disputes.hearing.models import Hearing
from league.disputes.hearing.services import hearing_open
from league.standings.ranking.api.view import GameView, WriteView, changes


class HearingSerializer(ModelSerializer[Hearing]):
    """A hearing about a game: an arbiter asks those who sat there. A ruling ends it."""

    game = LinkField(game_link, "game.public_id")

    class Meta:
        model = Hearing
        fields = ["id", "game", "number", "word", "role", "opened_at"]
        read_only_fields = ["number", "role", "opened_at"]
        help_texts = {"word": "What you ask the table."}


class HearingBody(ModelSerializer[Hearing]):
    """The question to those who sat at a game."""

    class Meta:
        model = Hearing
        fields = ["word"]


class GameHearings(GameView, WriteView):
    """Hearings about one game."""

    right = "league.rule_on_game"
    ground = "game"
    refusal = "Arbiters and organisers of the club, or at the event, may do this."

    @changes(
        "Hear the table", HearingBody, HearingSerializer, example={"word": "Who called, and when?"}
    )
    def open_hearing(self, game: Game, body: dict[str, Any], actor: Actor) -> Hearing:
        """Open a hearing about a game, also when the time for objections is over. The result is
        provisional until you rule."""
        return hearing_open(game=game, word=body["word"], actor=actor)
