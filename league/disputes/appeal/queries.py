"""The appeals that are open, and until when one can be raised."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db.models import Exists, OuterRef

from games.models import Game
from league.disputes.appeal.models import Appeal
from league.disputes.ruling.models import Ruling

APPEAL_WINDOW: Final = timedelta(days=7)
"""So long after a ruling a seat can appeal against it."""


def appeal_of(game: Game) -> Appeal | None:
    """Read the open appeal about a game, with its ruling; None if there is none."""
    return Appeal.objects.select_related("ruling").filter(ruling__outcome=game, end=None).first()


def appealed(game: str, ever: bool = False) -> Exists:
    """Return the condition that an appeal about a game is open, or that there `ever` was one; `game`: the way to it
    from the rows that are filtered."""
    appeals = Appeal.objects.filter(ruling__outcome=OuterRef(game))
    return Exists(appeals if ever else appeals.filter(end=None))


def appeal_until(ruling: Ruling) -> datetime | None:
    """Return until when a seat can appeal against a ruling; None for one that decided an appeal, which is final."""
    if hasattr(ruling, "decides"):
        return None
    return ruling.ruled_at + APPEAL_WINDOW
