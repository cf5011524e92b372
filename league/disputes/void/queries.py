"""Previews of voiding or restoring a game. Nothing is written."""

from __future__ import annotations

from dataclasses import dataclass

from engine.record.check import replay
from engine.record.kind import Ending
from games.models import Game
from games.queries.game import game_record
from games.services.void import refuse_out_of_turn
from league.core.player.queries.player import players_of_handles
from league.disputes.correction.queries.event import EventEffect, void_effect
from league.disputes.correction.queries.ranking import RankingEffect, game_effects
from league.standings.adjustment.queries import adjustments_of


@dataclass(frozen=True, slots=True)
class VoidPreview:
    """The changes that voiding or restoring a game would make: in each ranking that counts it, and
    in the event at whose table it was played."""

    effects: tuple[RankingEffect, ...]
    event: EventEffect | None


def void_preview(*, game: Game, stands: bool) -> VoidPreview:
    """Return what voiding a game would change (`stands`: the void would stand), or restoring it
    (not `stands`). The game must be loaded with its season.

    Raise `Refused` if the game can't be voided, or restored.
    """
    refuse_out_of_turn(game=game, stands=stands)
    record = game_record(game)
    players = players_of_handles(game.season_game.season.club_id, record.seats)
    ending = replay(record).ending
    adjustments = adjustments_of(game)
    event = void_effect(
        game=game, players=players, ending=None if stands else ending, adjustments=adjustments
    )
    effects = game_effects(
        game=game,
        record=record,
        players=players,
        ending=Ending() if stands else ending,  # a void game counts like an unfinished one
        adjustments=adjustments,
    )
    return VoidPreview(effects, event)
