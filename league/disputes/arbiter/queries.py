"""Why somebody can't rule on a game, and the loader of games for those who may."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from django.db.models import Exists, OuterRef, Q

from engine.illegal import Illegal
from engine.messages import Message, say
from games.models import Game, SheetEntry
from league.core.viewer.queries.access import Viewer, with_right
from league.disputes.arbiter import permissions  # noqa: F401 — says who may rule on a game
from league.disputes.objection.queries.objection import seats_of_account
from league.standings.season.queries.access import game_for

BARS: Final[dict[str, Message]] = {
    "at_the_table": say("you sat at this table: somebody else has to rule"),
    "entered_it": say("you entered this result: somebody else has to rule"),
    "ruled_before": say("you made the ruling that is appealed: others decide the appeal"),
}
"""Why an account can't rule on a game, by the code."""


def game_for_ruling(viewer: Viewer, game: str) -> Game:
    """Return a game by its public id, with its season and club, for those who may rule on it or would if they hadn't
    played. Raises `ObjectDoesNotExist`."""
    return with_right(viewer, game_for(viewer, game), "league.rule_on_game")


def bar_to_ruling(game: Game, account_id: int | None, ruled_by: Collection[int] = ()) -> Illegal | None:
    """Return why an account can't rule on a game, which comes with its season; None if nothing stands in the way.

    An arbiter neither sat at the table nor entered anything of the game; an appeal isn't decided by those accounts by
    whom the game was `ruled_by`. The service itself has no account and is never barred. One query at most.
    """
    if account_id is None:
        return None
    if account_id in ruled_by:
        return _bar("ruled_before")
    revisions = Game.objects.filter(source=game.source, external_id=game.external_id)
    seats = seats_of_account(game.season_game.season.club_id, account_id).filter(game=OuterRef("pk"))
    written = SheetEntry.objects.filter(sheet__sealed__game=OuterRef("pk"), account=account_id)
    entered = Q(entered_by=account_id, revision=1) | Exists(written)
    involved = revisions.annotate(sat=Exists(seats)).filter(Q(sat=True) | entered).values_list("sat", flat=True)
    sat_there = list(involved)
    if any(sat_there):
        return _bar("at_the_table")
    return _bar("entered_it") if sat_there else None


def _bar(code: str) -> Illegal:
    return Illegal(code, BARS[code])
