"""The dice of Lügen-Kniffel at an online table.

All dice follow from the dealer's secret and from the places of the dice that were kept, so none is
stored.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from engine.dice.chain import make_chain
from engine.dice.dealer import Dealer
from engine.dice.frame import SCHEMES
from engine.dice.roll import RollPlace
from engine.illegal import Illegal
from engine.kniffel.combinations import DICE, Dice
from engine.kniffel.rolls import Roll
from engine.messages import say
from engine.record.kniffel.turn import TurnRecord, turn_json
from engine.record.proof import link_json
from engine.record.shape import each, join, members, truth, whole
from engine.sheet.dealt import VALUE
from engine.sheet.entry import HiddenActs, SheetEntry
from engine.sheet.kniffel.online import KniffelSheet


class DealtTurn(NamedTuple):
    """The current turn with all its rolls so far. Only the roller may see them (Ruling K11)."""

    rolls: tuple[Roll, ...] = ()

    @property
    def locked(self) -> Dice:
        """Return the dice kept under the earlier cups, in ascending order."""
        return tuple(sorted(die for roll in self.rolls for die in roll.kept))

    @property
    def rolled(self) -> Dice:
        """Return the dice of the last roll, in ascending order."""
        if not self.rolls:
            return ()
        return self.rolls[-1].new

    @property
    def dice(self) -> Dice:
        """Return the dice under all cups, ascending: five, or none before the first roll."""
        return tuple(sorted(self.locked + self.rolled))


def public_part(act: SheetEntry) -> SheetEntry:
    """Return the act without its secret: which dice are kept, or what is answered.

    Raise `Refused` if the act is malformed. Ruling K11: which dice stay is the roller's secret.
    Ruling K16: nobody sees another's answer before.
    """
    if act.act == "roll":
        parts = members(act.value, VALUE, ("seat", "keep"), ())
        each(parts["keep"], join(VALUE, "keep"), whole)
        return SheetEntry("roll", {"seat": parts["seat"]})
    if act.act == "answer":
        parts = members(act.value, VALUE, ("seat", "turn", "doubt"), ())
        truth(parts["doubt"], join(VALUE, "doubt"))
        return SheetEntry("answer", {"seat": parts["seat"], "turn": parts["turn"]})
    return act


def deal(dealer: Dealer, sheet: KniffelSheet, hidden: HiddenActs) -> DealtTurn:
    """Return the current turn with its dice, which follow from the rolls among its hidden acts.

    A roll names the dice that it keeps by their places among the dice of the roll before, in
    ascending order.
    """
    assert sheet.roller is not None, "the caller must check that the game isn't over"
    rolls: list[Roll] = []
    rolled: Dice = ()
    dice = DICE
    for act in hidden:
        if act.act != "roll":
            continue
        kept = tuple([rolled[place] for place in sorted(act.value["keep"])])
        dice -= len(kept)
        place = RollPlace(sheet.closed, sheet.roller, len(rolls))
        rolled = tuple(sorted(dealer.roll(place, dice)))
        rolls.append(Roll(kept, rolled))
    return DealtTurn(tuple(rolls))


def own_dice(
    dealer: Dealer, sheet: KniffelSheet, hidden: HiddenActs, seat: int
) -> DealtTurn | None:
    """Return the turn with its dice to its roller; None to other seats and between two turns."""
    if sheet.roller != seat or not sheet.rolls:
        return None
    return deal(dealer, sheet, hidden)


def depends_on_dice(act: SheetEntry) -> bool:
    """Return True for a roll, which may keep dice of the roll before."""
    return act.act == "roll"


def hidden_fault(
    dealer: Dealer, sheet: KniffelSheet, hidden: HiddenActs, act: SheetEntry
) -> Illegal | None:
    """Return the fault of a roll that keeps the wrong dice: `bad_keep` or `must_roll_one`.

    Ruling K11: only dice just rolled may stay, and at least one die is rolled each time.
    """
    if act.act != "roll" or sheet.asks_all or act.value["seat"] not in sheet.to_act:
        return None
    rolled = deal(dealer, sheet, hidden).rolled
    keep = act.value["keep"]
    if len(set(keep)) < len(keep) or not set(keep).issubset(range(len(rolled))):
        return Illegal("bad_keep", say("only dice from the roll just before can stay"))
    if keep and len(keep) == len(rolled):
        return Illegal("must_roll_one", say("at least one die must be rolled each time"))
    return None


def doubters(sheet: KniffelSheet, hidden: HiddenActs) -> tuple[int, ...]:
    """Return the seats that doubt, in ascending order; seats that have left don't count (Ruling
    K15).
    """
    answers = [act.value for act in hidden if act.act == "answer"]
    doubting = {answer["seat"] for answer in answers if answer["doubt"]}
    return tuple(sorted(doubting.intersection(sheet.listeners)))


def reveal(dealer: Dealer, sheet: KniffelSheet, hidden: HiddenActs) -> dict[str, Any]:
    """Return the value of the dealer's entry once all have answered, or seats have left.

    It has the turn in the format of a record, and the link that proves its dice. If nobody doubted,
    the dice of the turn and the link's key stay secret (Ruling K6).
    """
    turn = sheet.leaving() if sheet.leavers_are_due else _answered_turn(dealer, sheet, hidden)
    number_of_link = sheet.closed + SCHEMES[dealer.scheme]
    link = make_chain(dealer.secret, dealer.scheme)[number_of_link]
    if not is_shown(turn):
        link = link._replace(key=None)
    return {"round": turn_json(turn), "link": link_json(link)}


def _answered_turn(dealer: Dealer, sheet: KniffelSheet, hidden: HiddenActs) -> TurnRecord:
    doubting = doubters(sheet, hidden)
    if not doubting:
        return TurnRecord(sheet.announcement)
    # Only a doubt shows the dice: Ruling K6.
    dealt = deal(dealer, sheet, hidden)
    return TurnRecord(sheet.announcement, doubters=doubting, rolls=dealt.rolls, dice=dealt.dice)


def is_shown(turn: TurnRecord) -> bool:
    """Return True if a closed turn shows its dice, so that the key that proves them is revealed."""
    return bool(turn.rolls)
