"""The open hearings."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import Game
from league.disputes.hearing.models import Hearing


def hearing_of(game: Game) -> Hearing | None:
    """Return the open hearing about a game; None if there is none."""
    return Hearing.objects.filter(game=game, ruling=None).first()


def heard(game: str, ever: bool = False) -> Exists:
    """Return the condition that a game has an open hearing; with `ever`, that it has ever had a
    hearing. `game`: the lookup path from the filtered rows to their game."""
    hearings = Hearing.objects.filter(game=OuterRef(game))
    if not ever:
        hearings = hearings.filter(ruling=None)
    return Exists(hearings)


def hearings_open(game: Q) -> QuerySet[Hearing]:
    """Return the open hearings about the games that fulfil a condition, the oldest first. Hearings
    about corrected revisions are left out."""
    is_replaced = Exists(Game.objects.filter(replaces=OuterRef("game")))
    hearings = Hearing.objects.filter(~is_replaced, game__in=Game.objects.filter(game), ruling=None)
    return hearings.select_related("game", "reminder").order_by("opened_at", "pk")
