"""The automatic players of online tables, and what they choose."""

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
from engine.sheet.entry import SheetEntry
from engine.sheet.online import OnlineSheet
from league.play.online_table.services.automatic_kniffel import automatic_act_of_kniffel

STRENGTHS: Final[Mapping[str, tuple[str, float]]] = {
    "easy": ("odds", 0.5),
    "steady": ("odds", 1.0),
    "sharp": ("belief", 1.0),
}
"""The automatic players by their strength: the name in the engine's roster, and how rarely they
play at random."""
AUTOMATIC_NAMES: Final = ("Rosa", "Otto", "Mieke", "Hugo", "Wilma", "Bram")


def automatic_entry(strength: str, sheet: OnlineSheet, dealer: Dealer) -> SheetEntry:
    """The act that an automatic player of this strength chooses at the seat whose turn it is."""
    name, level = STRENGTHS[strength]
    said = [_said(note) for note in sheet.sheet.notes]
    view = view_of(deal(dealer, sheet).played, said)
    move = roster_player(name, secrets.randbits(64), level).choose(view)
    if move == CHALLENGE:
        return SheetEntry("challenge", {"seat": view.seat})
    if isinstance(move, LayOut):
        move = LayOut(move.bid, sort_hand(move.show))
    return SheetEntry("bid", {"seat": view.seat, "bid": move_text(move)})


def _said(note: Mapping[str, Any]) -> Said:
    move = parse_move(note["bid"])
    assert not isinstance(move, Illegal)
    return (
        Said(note["seat"], move.bid, move.show)
        if isinstance(move, LayOut)
        else Said(note["seat"], move)
    )


AUTOMATIC_ACTS: Final[Mapping[AnyKind, Callable[..., SheetEntry]]] = {
    BLUFF: lambda strength, seat, sheet, dealer, hidden: automatic_entry(strength, sheet, dealer),
    KNIFFEL: automatic_act_of_kniffel,
}
"""What an automatic player does, by the kind of game. It is given its strength, its seat and all
that the dealer knows, of which it uses what its seat sees."""
