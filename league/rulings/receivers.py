"""All that objections tell rooms below, and do when a game is voided."""

from typing import Any

from django.dispatch import receiver

from games.models import Game
from league.log.services import Journal
from league.rankings.provisional import SOURCES
from league.rulings.models import ObjectionEnd
from league.rulings.queries.objection import objected
from league.rulings.services.objection import objections_close
from league.tables.signals import game_voided

SOURCES.append(objected)


@receiver(game_voided)
def objections_follow(*, journal: Journal, game: Game, role: str, **kwargs: Any) -> None:
    """End the objections to a game that counts for nothing any more."""
    objections_close(journal=journal, game=game, way=ObjectionEnd.Way.VOIDED, role=role)
