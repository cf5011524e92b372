"""What a seat has chosen for its move and not sent yet, so that it is there on another device, too.

It lies in the cache: nobody else's page, no log, no version and no stream tells of it, and after
the move it is worth nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from django.core.cache import cache

from games.models import OpenSheet
from league.play.online_table.models import OnlineSeat, OnlineTable

SECONDS: Final = 24 * 3600
"""So long an unsent move is kept after its last change."""
KEY: Final = "unsent:"

Chosen = Mapping[str, Sequence[str]]
"""The values that are chosen in the form of a move, by the names of its fields."""


class UnsentMove(NamedTuple):
    """What the cache keeps for a seat. `length`: how many entries the sheet had; with another one
    it is over."""

    length: int
    chosen: Chosen


def unsent_keep(*, table: OnlineTable, seat: OnlineSeat, length: int, chosen: Chosen) -> bool:
    """Keep what a seat has chosen, in place of what it chose before. `length`: how many entries it
    had seen.

    Returns False if the sheet has another length by now: then nothing is kept. One query.
    """
    sheets = OpenSheet.objects.filter(open_game=table.open_game_id)
    if length != sheets.values_list("length", flat=True).first():
        return False
    cache.set(_key(table, seat), UnsentMove(length, chosen), SECONDS)
    return True


def unsent_of(*, table: OnlineTable, seat: OnlineSeat, length: int) -> Chosen | None:
    """Return what a seat has chosen while the sheet has this length; None if it has chosen nothing.
    No query."""
    move: UnsentMove | None = cache.get(_key(table, seat))
    return move.chosen if move is not None and move.length == length else None


def unsent_forget(*, table: OnlineTable, seat: OnlineSeat) -> None:
    """Forget what a seat had chosen, because it has moved. Twice is once."""
    cache.delete(_key(table, seat))


def _key(table: OnlineTable, seat: OnlineSeat) -> str:
    return f"{KEY}{table.public_id}:{seat.number}"
