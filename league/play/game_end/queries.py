"""Queries of finished turn-by-turn games of which players must still be notified."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from league.play.game_end.models import GameEnd

MOST: Final = 200
"""The most ends handled by one call; the next call takes the rest."""


def ends_to_tell(at: datetime) -> list[int]:
    """Return the row ids of the seats whose account is to be notified of the end at a time, the
    longest due first. Uses an index.
    """
    due = GameEnd.objects.filter(next_at__lte=at).order_by("next_at", "seat")
    return list(due.values_list("seat", flat=True)[:MOST])


def end_held(seat_id: int) -> GameEnd | None:
    """Lock the end of a seat's game until the transaction ends and return it with its table, club
    and account, or None.
    """
    ends = GameEnd.objects.select_for_update(of=("self",))
    return ends.select_related("seat__table__club", "seat__user").filter(seat=seat_id).first()
