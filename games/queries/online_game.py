"""Games that the service deals, as they are stored, and the dice of one seat for its player."""

from __future__ import annotations

import json
from collections.abc import Collection
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from engine.dice.dealer import Dealer
from engine.dice.frame import OPENING_SCHEME
from engine.record.header import read_header
from engine.record.record import Record
from engine.sheet.dealt import DealtSheet
from engine.sheet.entry import HiddenActs, stored_entry
from engine.sheet.online_kind import ONLINE_KINDS, resume
from games.models import DealerSecret, HiddenAct, OpenSheet, SheetEntry
from games.queries.open_game import HANDLES


class OnlineGame(NamedTuple):
    """A game that the service deals: the row of its sheet, and its state by the engine, without
    hidden dice.

    `sheet`: a `DealtSheet`, of the type of its kind of game.
    """

    row: OpenSheet
    sheet: Any


def online_game(open_game: int) -> OnlineGame:
    """Return a game by the row id of its open game. One query.

    Raise `OpenSheet.DoesNotExist` if there is none."""
    return _game(_sheets().get(open_game=open_game))


def online_games(open_games: Collection[int]) -> dict[int, OnlineGame]:
    """Return games by the row ids of their open games. One query."""
    return {row.open_game_id: _game(row) for row in _sheets().filter(open_game__in=open_games)}


def _sheets() -> QuerySet[OpenSheet]:
    return OpenSheet.objects.select_related("open_game").annotate(handles=HANDLES)


def _game(row: OpenSheet) -> OnlineGame:
    record = read_header(row.open_game.header, getattr(row, "handles"))  # noqa: B009  # annotated
    return OnlineGame(row, resume(record, row.state))


def last_reveal(row: OpenSheet) -> dict[str, Any] | None:
    """Return the last round that was revealed, in the record's form; None before the first. One
    query."""
    entries = SheetEntry.objects.filter(sheet=row, act="reveal").order_by("-number")
    value = entries.values_list("value", flat=True).first()
    if value is None:
        return None
    played: dict[str, Any] = json.loads(value)["round"]
    return played


def dealer_of(record: Record) -> Dealer:
    """Return the dealer of a game, who knows every die. One query.

    Show each player only the dice under their own cup."""
    assert record.proof is not None
    secrets = DealerSecret.objects.values_list("secret", flat=True)
    secret = secrets.get(commitment=record.proof.commitment.hex())
    return Dealer(bytes(secret), record.record_id, record.proof.seeds, OPENING_SCHEME)


def hidden_acts(row: OpenSheet, sheet: DealtSheet) -> HiddenActs:
    """Return the hidden acts of seats in the current round, for the dealer only. At most one
    query."""
    if not ONLINE_KINDS[sheet.record.kind].hides:
        return ()
    acts = HiddenAct.objects.filter(sheet=row, round_number=sheet.closed).order_by("number")
    entries = acts.values_list("act", "value")
    return tuple([stored_entry(act, json.loads(value)) for act, value in entries])


def whole_act(row: OpenSheet, key: UUID) -> tuple[int | None, str, str] | None:
    """Return seat, act and value of the entry with this key, including its hidden part. One query.

    Use the result only to compare it with an act that its own seat sends again. None if there is no
    such entry.
    """
    hidden = HiddenAct.objects.filter(sheet=OuterRef("sheet"), number=OuterRef("number"))
    entries = SheetEntry.objects.filter(sheet=row, key=key)
    whole = entries.annotate(whole=Coalesce(Subquery(hidden.values("value")), F("value")))
    return whole.values_list("seat", "act", "whole").first()


def cup_of(game: OnlineGame, seat: int) -> Any:
    """Return the dice under the cup of a seat, for its player. At most two queries.

    Their type depends on the kind of game.
    """
    return cups_of(game, [seat])[seat]


def cups_of(game: OnlineGame, seats: Collection[int]) -> dict[int, Any]:
    """Return the dice under the cups of several seats, each for its player only. At most two
    queries."""
    kind = ONLINE_KINDS[game.sheet.record.kind]
    dealer = dealer_of(game.sheet.record)
    hidden = hidden_acts(game.row, game.sheet)
    return {seat: kind.own_dice(dealer, game.sheet, hidden, seat) for seat in seats}


def waiting_since(row: OpenSheet, sheet: DealtSheet) -> datetime:
    """Return when the table began to wait for the seats that are to act. At most one query.

    Seats that are asked all at once (Ruling K16) were asked by the last announcement.
    """
    if sheet.asks_all:
        announced = SheetEntry.objects.filter(sheet=row, act="announce").order_by("-number")
        return announced.values_list("made_at", flat=True)[0]
    return row.heard_at or row.open_game.opened_at
