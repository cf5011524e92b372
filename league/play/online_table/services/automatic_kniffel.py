"""The automatic players of Lügen-Kniffel at online tables, and the acts that they choose."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Final

from engine.dice.dealer import Dealer
from engine.kniffel.combinations import Announcement, Dice
from engine.kniffel.notation import announcement_text
from engine.players.kniffel.view import TurnMove, TurnView
from engine.players.roster import player as roster_player
from engine.record.kniffel.kind import KNIFFEL
from engine.sheet.entry import HiddenActs, SheetEntry
from engine.sheet.kniffel.dealing import own_dice
from engine.sheet.kniffel.online import KniffelSheet

STRENGTHS: Final[Mapping[str, tuple[str, float]]] = {
    "easy": ("odds", 0.3),
    "steady": ("odds", 0.6),
    "sharp": ("odds", 1.0),
}
"""By strength, the name of the player in the engine's roster, and how rarely it plays at random."""


def automatic_act_of_kniffel(
    strength: str, seat: int, sheet: KniffelSheet, dealer: Dealer, hidden: HiddenActs
) -> SheetEntry:
    """Return the act that an automatic player of this strength chooses for a seat that is to
    act.
    """
    if sheet.forced_act is not None:
        return sheet.forced_act
    name, level = STRENGTHS[strength]
    view = _view(seat, sheet, dealer, hidden)
    move = roster_player(name, secrets.randbits(64), level, KNIFFEL).choose(view)
    return _act(move, view, sheet)


def _view(seat: int, sheet: KniffelSheet, dealer: Dealer, hidden: HiddenActs) -> TurnView:
    """Return what a seat may know in the middle of a turn: the dice under its own cups, but
    nobody's answers.
    """
    view = TurnView(
        rules=sheet.game.rules,
        seat=seat,
        playing=sheet.staying,
        sheets=sheet.game.sheets,
        rolls=sheet.rolls,
        announcement=sheet.announcement,
    )
    dealt = own_dice(dealer, sheet, hidden, seat)
    if dealt is None:
        return view
    return view._replace(locked=dealt.locked, rolled=dealt.rolled)


def _act(move: TurnMove, view: TurnView, sheet: KniffelSheet) -> SheetEntry:
    if isinstance(move, bool):
        return SheetEntry("answer", {"seat": view.seat, "turn": sheet.closed, "doubt": move})
    if isinstance(move, Announcement):
        return SheetEntry("announce", {"seat": view.seat, "say": announcement_text(move)})
    return SheetEntry("roll", {"seat": view.seat, "keep": _places_of_kept_dice(move, view.rolled)})


def _places_of_kept_dice(kept: Dice, rolled: Dice) -> list[int]:
    places: list[int] = []
    for die in kept:
        free_places = (
            place for place, face in enumerate(rolled) if face == die and place not in places
        )
        places.append(next(free_places))
    return places
