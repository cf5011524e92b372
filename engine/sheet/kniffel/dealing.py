"""The dice of Lügen-Kniffel at an online table: all of them follow from the dealer's secret and
from the places of the dice that stayed, so no die is stored."""

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
    """The turn that is played, with its dice: all the rolls so far. Only the roller may see them.
    Ruling K11 (K)."""

    rolls: tuple[Roll, ...] = ()

    @property
    def locked(self) -> Dice:
        """The dice that stay under the earlier cups, in ascending order."""
        return tuple(sorted(die for roll in self.rolls for die in roll.kept))

    @property
    def fresh(self) -> Dice:
        """The dice that were rolled last, in ascending order."""
        return self.rolls[-1].new if self.rolls else ()

    @property
    def dice(self) -> Dice:
        """The dice under all cups, in ascending order: five, or none before the first roll."""
        return tuple(sorted(self.locked + self.fresh))


def public_part(act: SheetEntry) -> SheetEntry:
    """Return what everybody sees of an act: not which dice stay, and not what was answered. Rulings
    K11 (K), K16.

    Raises `Refused` for an act that isn't written as one.
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
    """Deal the turn that is played. A roll keeps dice by their places among those that were rolled
    just before, in ascending order. `hidden`: the acts of this turn. Ruling K11 (K)."""
    assert sheet.roller is not None, "whoever asks knows that the game isn't over"
    rolls: list[Roll] = []
    fresh: Dice = ()
    dice = DICE
    for act in hidden:
        if act.act != "roll":
            continue
        kept = tuple([fresh[place] for place in sorted(act.value["keep"])])
        dice -= len(kept)
        place = RollPlace(sheet.closed, sheet.roller, len(rolls))
        fresh = tuple(sorted(dealer.roll(place, dice)))
        rolls.append(Roll(kept, fresh))
    return DealtTurn(tuple(rolls))


def own_dice(
    dealer: Dealer, sheet: KniffelSheet, hidden: HiddenActs, seat: int
) -> DealtTurn | None:
    """Return the turn with its dice if it is that of the seat; None for everybody else, also
    between two turns."""
    return deal(dealer, sheet, hidden) if sheet.roller == seat and sheet.rolls else None


def hidden_fault(
    dealer: Dealer, sheet: KniffelSheet, hidden: HiddenActs, act: SheetEntry
) -> Illegal | None:
    """Return the fault of a roll that keeps dice which can't stay: `bad_keep`, `must_roll_one`.
    Ruling K11 (K)."""
    if act.act != "roll" or sheet.asks_all or act.value["seat"] not in sheet.to_act:
        return None
    fresh = deal(dealer, sheet, hidden).fresh
    keep = act.value["keep"]
    if len(set(keep)) < len(keep) or not set(keep).issubset(range(len(fresh))):
        return Illegal("bad_keep", say("only dice of the roll just before can stay"))
    if keep and len(keep) == len(fresh):
        return Illegal("must_roll_one", say("at least one die is rolled each time"))
    return None


def doubters(sheet: KniffelSheet, hidden: HiddenActs) -> tuple[int, ...]:
    """Return the seats that doubt, in ascending order; a seat that left meanwhile doubts no more.
    Rulings K15, K16."""
    answers = [act.value for act in hidden if act.act == "answer"]
    return tuple(
        sorted(
            value["seat"]
            for value in answers
            if value["doubt"] and value["seat"] in sheet.listeners
        )
    )


def reveal(dealer: Dealer, sheet: KniffelSheet, hidden: HiddenActs) -> dict[str, Any]:
    """Return what the dealer's entry tells once all have answered, or seats have left: the turn as
    a record has it, and its link. The dice of a turn that nobody doubted stay secret, and their key
    with them. Rulings K6, K7 (K), K15."""
    turn = sheet.leaving() if sheet.leavers_are_due else _answered(dealer, sheet, hidden)
    link = make_chain(dealer.secret, dealer.scheme)[sheet.closed + SCHEMES[dealer.scheme]]
    if not is_shown(turn):
        link = link._replace(key=None)
    return {"round": turn_json(turn), "link": link_json(link)}


def _answered(dealer: Dealer, sheet: KniffelSheet, hidden: HiddenActs) -> TurnRecord:
    """Return the turn that all answers close. Its dice are told only where somebody doubts. Ruling
    K6 (K)."""
    doubting = doubters(sheet, hidden)
    if not doubting:
        return TurnRecord(sheet.announcement)
    dealt = deal(dealer, sheet, hidden)
    return TurnRecord(sheet.announcement, doubters=doubting, rolls=dealt.rolls, dice=dealt.dice)


def is_shown(turn: TurnRecord) -> bool:
    """True if the dice of a closed turn lie open, so that its key is revealed, too. Ruling K6
    (K)."""
    return bool(turn.rolls)
