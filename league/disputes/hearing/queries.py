"""The hearings that are open."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import Game
from league.disputes.hearing.models import Hearing


def hearing_of(game: Game) -> Hearing | None:
    """Read the open hearing of a game; None if there is none."""
    return Hearing.objects.filter(game=game, ruling=None).first()


def heard(game: str, ever: bool = False) -> Exists:
    """Return the condition that a game has an open hearing, or has `ever` had one; `game`: the way
    to it from the rows that are filtered."""
    hearings = Hearing.objects.filter(game=OuterRef(game))
    return Exists(hearings if ever else hearings.filter(ruling=None))


def hearings_open(game: Q) -> QuerySet[Hearing]:
    """Return the open hearings about games for which a condition holds, the oldest first. Of a game
    that was corrected only the newest revision is heard."""
    replaced = Exists(Game.objects.filter(replaces=OuterRef("game")))
    hearings = Hearing.objects.filter(~replaced, game__in=Game.objects.filter(game), ruling=None)
    return hearings.select_related("game", "reminder").order_by("opened_at", "pk")
