"""Games that the service deals, as they are stored; and the dice of one seat, for whoever sits there."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any, NamedTuple

from engine.dice.dealer import Dealer
from engine.dice.frame import OPENING_SCHEME
from engine.record.header import read_header
from engine.record.record import Record
from engine.sheet import online
from engine.sheet.dealing import cup
from engine.sheet.online import OnlineSheet
from games.models import DealerSecret, OpenSheet, SheetEntry
from games.queries.open_game import HANDLES


class OnlineGame(NamedTuple):
    """A game that the service deals: the row of its sheet, and what the engine makes of it. No hidden die is in it."""

    row: OpenSheet
    sheet: OnlineSheet


def online_game(open_game: int) -> OnlineGame:
    """Read a game by the row id of its open game. One query. Raises `OpenSheet.DoesNotExist`."""
    rows = OpenSheet.objects.select_related("open_game").annotate(handles=HANDLES)
    row = rows.get(open_game=open_game)
    record = read_header(row.open_game.header, getattr(row, "handles"))  # noqa: B009  # annotated
    return OnlineGame(row, online.resume(record, row.state))


def last_reveal(row: OpenSheet) -> dict[str, Any] | None:
    """Return the last round that was revealed, as the record has it; None before the first. One query."""
    entries = SheetEntry.objects.filter(sheet=row, act="reveal").order_by("-number")
    value = entries.values_list("value", flat=True).first()
    if value is None:
        return None
    played: dict[str, Any] = json.loads(value)["round"]
    return played


def dealer_of(record: Record) -> Dealer:
    """Return the dealer of a game, who knows every die: give nobody more of it than their own cup. One query."""
    assert record.proof is not None
    secrets = DealerSecret.objects.values_list("secret", flat=True)
    secret = secrets.get(commitment=record.proof.commitment.hex())
    return Dealer(bytes(secret), record.record_id, record.proof.seeds, OPENING_SCHEME)


def cup_of(game: OnlineGame, seat: int) -> str:
    """Return the dice that lie under the cup of a seat, for whoever sits there. One query."""
    return cup(dealer_of(game.sheet.record), game.sheet, seat)


def cups_of(game: OnlineGame, seats: Collection[int]) -> dict[int, str]:
    """Return the dice under the cups of several seats, each for whoever sits there. One query."""
    dealer = dealer_of(game.sheet.record)
    return {seat: cup(dealer, game.sheet, seat) for seat in seats}
