"""The automatic players of online tables, and the acts that they choose."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.bluff.hand import sort_hand
from engine.bluff.move import CHALLENGE, LayOut, move_text, parse_move
from engine.dice.dealer import Dealer
from engine.illegal import Illegal
from engine.players.player import Said
from engine.players.roster import player as roster_player
from engine.players.seat import view_of
from engine.record.bluff.kind import BLUFF
from engine.record.kind import AnyKind
from engine.record.kniffel.kind import KNIFFEL
from engine.sheet.dealing import deal
from engine.sheet.entry import HiddenActs, SheetEntry
from engine.sheet.online import OnlineSheet
from league.play.online_table.services.automatic_kniffel import automatic_act_of_kniffel

STRENGTHS: Final[Mapping[str, tuple[str, float]]] = {
    "easy": ("odds", 0.5),
    "steady": ("odds", 1.0),
    "sharp": ("belief", 1.0),
}
"""By strength, the name of the player in the engine's roster, and how rarely it plays at random."""
AUTOMATIC_NAMES: Final = ("Rosa", "Otto", "Mieke", "Hugo", "Wilma", "Bram")


def automatic_entry(strength: str, sheet: OnlineSheet, dealer: Dealer) -> SheetEntry:
    """Return the act that an automatic player of this strength chooses for the seat to act."""
    name, level = STRENGTHS[strength]
    bids = [_spoken_bid(note) for note in sheet.sheet.notes]
    view = view_of(deal(dealer, sheet).played, bids)
    move = roster_player(name, secrets.randbits(64), level).choose(view)
    if move == CHALLENGE:
        return SheetEntry("challenge", {"seat": view.seat})
    if isinstance(move, LayOut):
        move = LayOut(move.bid, sort_hand(move.show))
    return SheetEntry("bid", {"seat": view.seat, "bid": move_text(move)})


def _spoken_bid(note: Mapping[str, Any]) -> Said:
    move = parse_move(note["bid"])
    assert not isinstance(move, Illegal)
    if isinstance(move, LayOut):
        return Said(note["seat"], move.bid, move.show)
    return Said(note["seat"], move)


def _bluff_act(
    strength: str, _seat: int, sheet: OnlineSheet, dealer: Dealer, _hidden: HiddenActs
) -> SheetEntry:
    """Leave `_seat` and `_hidden`, which all `AUTOMATIC_ACTS` are given, unused: in Bluff only one
    seat is to act, and no act is hidden."""
    return automatic_entry(strength, sheet, dealer)


AUTOMATIC_ACTS: Final[Mapping[AnyKind, Callable[..., SheetEntry]]] = {
    BLUFF: _bluff_act,
    KNIFFEL: automatic_act_of_kniffel,
}
"""By kind of game, the function that chooses an automatic player's act. It is given the strength,
the seat, the sheet and the dealer's secrets, of which it uses only those that its seat sees.
"""
