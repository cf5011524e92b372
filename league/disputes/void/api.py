"""Voiding a game and restoring it, for programs."""

from __future__ import annotations

from typing import Any, Final

from rest_framework import serializers

from engine.record.reason import LENGTH
from games.models import Game
from league.core.frame.api.serializers import Body
from league.core.log.services import Actor
from league.disputes.correction.api import VoidPreviewSerializer, ranking_effects
from league.disputes.ruling.services.ruling import refuse_if_ruling_needed
from league.disputes.void.queries import void_preview
from league.records.game.api import OneGameSerializer
from league.records.game.queries.game import game_row
from league.stages.result.services.void import game_restore, game_void_add
from league.standings.ranking.api.view import GameView, WriteView, changes

VOID: Final = {"reason": "It was entered for the wrong evening."}


class VoidBody(Body):
    """The decision that a game counts for nothing, or that it counts again. Everybody can read the
    reason."""

    stands = serializers.BooleanField(default=True, help_text="False: it counts again.")
    reason = serializers.CharField(max_length=LENGTH)


class VoidPreviewBody(Body):
    """The decision to preview."""

    stands = serializers.BooleanField(default=True, help_text="False: the game would count again.")


class GameVoids(GameView, WriteView):
    """Voiding and restoring one game."""

    right = "league.correct_game"
    ground = "game"
    refusal = "Arbiters and organisers of the club may do this."

    @changes("Void a game", VoidBody, OneGameSerializer, example=VOID)
    def void_game(self, game: Game, body: dict[str, Any], actor: Actor) -> dict[str, Any]:
        """Void the newest revision of a game, as an arbiter or an organiser, or restore it.

        A void game stays readable, is marked, and counts nowhere. Sending the same record
        again is answered `voided`. A disputed game is refused with `ruling_needed`: rule on it."""
        refuse_if_ruling_needed(game)
        service = game_void_add if body["stands"] else game_restore
        service(game=game, actor=actor)
        return game_row(game)

    @changes("Preview voiding a game", VoidPreviewBody, VoidPreviewSerializer)
    def preview_void(self, game: Game, body: dict[str, Any], actor: Actor) -> dict[str, Any]:
        """Return what voiding a game, or restoring it, would change, for arbiters and organisers;
        change nothing."""
        preview = void_preview(game=game, stands=body["stands"])
        return {
            "rankings": ranking_effects(game.season_game.season, preview.effects),
            "event": preview.event,
        }
