"""The unsent choice of a seat for its move, kept so that it appears on the player's other devices.

It is kept in the cache alone: no other page, log, version or stream contains it, and after the move
it is worthless.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from django.core.cache import cache

from games.models import OpenSheet
from league.play.online_table.models import OnlineSeat, OnlineTable

SECONDS: Final = 24 * 3600
"""How long an unsent move is kept after its last change."""
KEY: Final = "unsent:"

Chosen = Mapping[str, Sequence[str]]
"""The chosen values in the form of a move, by field name."""


class UnsentMove(NamedTuple):
    """The unsent move of a seat in the cache. `length`: the number of entries on the sheet; once
    that changes, the choice is obsolete.
    """

    length: int
    chosen: Chosen


def unsent_keep(*, table: OnlineTable, seat: OnlineSeat, length: int, chosen: Chosen) -> bool:
    """Keep the choice of a seat, replacing its former one. `length`: how many entries it had seen.

    Return False and keep nothing if the sheet has another length by now. One query.
    """
    sheets = OpenSheet.objects.filter(open_game=table.open_game_id)
    if length != sheets.values_list("length", flat=True).first():
        return False
    cache.set(_key(table, seat), UnsentMove(length, chosen), SECONDS)
    return True


def unsent_of(*, table: OnlineTable, seat: OnlineSeat, length: int) -> Chosen | None:
    """Return the choice that a seat made at this length of the sheet, or None. No query."""
    move: UnsentMove | None = cache.get(_key(table, seat))
    if move is None or move.length != length:
        return None
    return move.chosen


def unsent_forget(*, table: OnlineTable, seat: OnlineSeat) -> None:
    """Delete the unsent choice of a seat after its move. Idempotent."""
    cache.delete(_key(table, seat))


def _key(table: OnlineTable, seat: OnlineSeat) -> str:
    return f"{KEY}{table.public_id}:{seat.number}"
