"""All that voiding or restoring a game would change. Nothing is written."""

from __future__ import annotations

from dataclasses import dataclass

from engine.record.check import replay
from engine.record.kind import Ending
from engine.scoring.natural import natural
from games.models import Game
from games.queries.game import game_record
from league.clubs.services.player import players_of_handles
from league.rankings.domain.game import UNTIMED
from league.rankings.seats import seats_for_others
from league.rulings.queries.event import EventEffect, void_effect
from league.rulings.queries.ranking import RankingEffect, ranking_effect
from league.seasons.queries.ranking import rankings_of
from league.tables.services.result import NoResult
from league.tables.services.void import NoVoid, refuse_out_of_turn


@dataclass(frozen=True, slots=True)
class VoidPreview:
    """All that voiding or restoring a game would do: to each ranking that counts it, and to the event at whose table it
    was played."""

    effects: tuple[RankingEffect, ...]
    event: EventEffect | None


def void_preview(*, game: Game, stands: bool) -> VoidPreview:
    """Return what voiding a game would do, or (unless `stands`) restoring it; the game comes with its season.

    Raises `NoVoid` as that would, but for the reason.
    """
    refuse_out_of_turn(game=game, stands=stands)
    season = game.season_game.season
    record = game_record(game)
    players = players_of_handles(season.club_id, record.seats)
    ending = replay(record).ending
    try:
        event = void_effect(game=game, players=players, ending=None if stands else ending)
    except NoResult as refused:
        raise NoVoid(refused.illegal) from refused
    others = seats_for_others([game.pk]).get(game.pk, {})
    effects = [
        ranking_effect(
            ranking_id=ranking_id,
            game_id=game.pk,
            handles=record.seats,
            players=players,
            others=others if ranking_id == season.ranking_id else {},
            ending=Ending() if stands else ending,
            place=(record.instant or UNTIMED, natural(record.record_id)),
        )
        for ranking_id in rankings_of(season)
    ]
    return VoidPreview(tuple(effects), event)
