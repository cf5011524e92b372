"""Analyses of games: the worth of each decision."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.response import Response

from engine.analysis import kniffel
from engine.analysis.belief import FITTED, PLAIN
from engine.analysis.only_end import nothing_json
from engine.record.record import Record
from games.domain.analysis import analysis_of
from games.models import Game
from games.models.game import Kind
from games.queries.game import sealed_record
from league.frame.api.operation import OF_GAMES, reads
from league.frame.api.parameters import SeenBy
from league.seasons.api.view import GameView


class OfAnalysis(SeenBy):
    """Of the analysis of a game."""

    light = serializers.ChoiceField(
        choices=["belief"],
        required=False,
        help_text="`belief`: the chances of Bluff rest on what bids tell, too. Without it on dice alone.",
    )


class GameAnalyses(GameView):
    """The analyses of games."""

    @reads("A game's analysis", OpenApiTypes.OBJECT, problems=OF_GAMES, parameters=OfAnalysis)
    def get_game_analysis(self, game: Game) -> Response:
        """Every decision of the game with its chances and its cost, and in Bluff the luck of each roll.

        It is what `python -m engine analyse` says of the record; of a game of which only the end is known, that there
        is nothing to analyse. Seats, rounds, turns and moves count from 0.
        """
        weight = FITTED if "light" in self.query else PLAIN
        return Response(_analysis_json(game, *sealed_record(game), weight))


def _analysis_json(game: Game, record: Record, head: bytes, weight: float) -> dict[str, Any]:
    if record.outcome is not None:
        return nothing_json(record)
    if game.kind == Kind.BLUFF:
        return analysis_of(record, weight, head).as_json()
    return kniffel.analyse(record).as_json()
