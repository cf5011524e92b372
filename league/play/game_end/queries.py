"""The ends of games turn by turn that somebody is to be told."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from league.play.game_end.models import GameEnd

MOST: Final = 200
"""So many ends are told at a time; the next call takes those behind them."""


def ends_to_tell(at: datetime) -> list[int]:
    """Read the seats, by row id, whose account is to be told now, the longest due first. By an
    index."""
    due = GameEnd.objects.filter(next_at__lte=at).order_by("next_at", "seat")
    return list(due.values_list("seat", flat=True)[:MOST])


def end_held(seat_id: int) -> GameEnd | None:
    """Read the end with its table, club and seat, and hold it until the transaction ends; None if
    there is none."""
    ends = GameEnd.objects.select_for_update(of=("self",))
    return ends.select_related("seat__table__club", "seat__user").filter(seat=seat_id).first()
