"""The loaders of games for corrections."""

from __future__ import annotations

from games.models import Game
from league.core.viewer.queries.access import Viewer, with_right
from league.disputes.correction import permissions  # noqa: F401 — says who may correct a game
from league.standings.season.queries.access import game_for


def game_for_correction(viewer: Viewer, game: str) -> Game:
    """Return a game that the viewer may correct, by its public id. Raise `ObjectDoesNotExist`
    otherwise."""
    return with_right(viewer, game_for(viewer, game), "league.correct_game")


def newest_revision(game: Game) -> Game:
    """Return the revision of a game that counts, with the account that entered it."""
    revisions = Game.objects.filter(source=game.source, external_id=game.external_id)
    return revisions.select_related("entered_by").latest("revision")
