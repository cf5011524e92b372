"""The games that can be played at an online table, one object each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeAlias, TypeVar

from engine.dice.dealer import Dealer
from engine.illegal import Illegal
from engine.record.bluff.kind import BLUFF
from engine.record.kind import AnyKind
from engine.record.kniffel.kind import KNIFFEL
from engine.record.record import Record
from engine.sheet import dealing as bluff_dealing
from engine.sheet import online as bluff_online
from engine.sheet.dealt import DealtSheet
from engine.sheet.entry import HiddenActs, SheetEntry
from engine.sheet.kniffel import dealing as kniffel_dealing
from engine.sheet.kniffel import online as kniffel_online

SheetT = TypeVar("SheetT", bound=DealtSheet)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OnlineKind(Generic[SheetT]):
    """The part of a kind of game that only an online table needs.

    If the public part of an act is less than the act, the full act stays hidden until the round is
    closed. `hidden` below are the hidden acts of the current round, in order.
    """

    begin: Callable[[Record], SheetT]
    """`begin(record)` returns an empty sheet."""
    resume: Callable[[Record, dict[str, Any]], SheetT]
    """`resume(record, state)` returns the sheet that `state()` described."""
    public_part: Callable[[SheetEntry], SheetEntry]
    """`public_part(act)` returns the part of a seat's act that everybody sees and that the sheet
    stores. Raise `Refused` if the act is malformed."""
    hides: bool
    """Whether the game has hidden acts."""
    own_dice: Callable[[Dealer, SheetT, HiddenActs, int], Any]
    """`own_dice(dealer, sheet, hidden, seat)` returns the dice under a seat's cups, which only that
    seat may see."""
    depends_on_dice: Callable[[SheetEntry], bool]
    """`depends_on_dice(act)` returns whether the legality of an act depends on hidden dice."""
    hidden_fault: Callable[[Dealer, SheetT, HiddenActs, SheetEntry], Illegal | None]
    """`hidden_fault(dealer, sheet, hidden, act)` returns the fault of an act that the hidden dice
    don't allow."""
    reveal: Callable[[Dealer, SheetT, HiddenActs], dict[str, Any]]
    """`reveal(dealer, sheet, hidden)` returns the value of the entry by which the dealer closes a
    round."""
    is_shown: Callable[[Any], bool]
    """`is_shown(round)` returns whether a closed round shows its dice, so that its key is
    revealed."""


AnyOnlineKind: TypeAlias = OnlineKind[Any]
ONLINE_KINDS: Final[Mapping[AnyKind, AnyOnlineKind]] = {
    BLUFF: OnlineKind(
        begin=bluff_online.begin,
        resume=bluff_online.resume,
        public_part=bluff_dealing.public_part,
        hides=False,
        own_dice=bluff_dealing.own_dice,
        depends_on_dice=bluff_dealing.lays_dice_out,
        hidden_fault=bluff_dealing.hidden_fault,
        reveal=bluff_dealing.reveal,
        is_shown=bluff_dealing.is_shown,
    ),
    KNIFFEL: OnlineKind(
        begin=kniffel_online.begin,
        resume=kniffel_online.resume,
        public_part=kniffel_dealing.public_part,
        hides=True,
        own_dice=kniffel_dealing.own_dice,
        depends_on_dice=kniffel_dealing.depends_on_dice,
        hidden_fault=kniffel_dealing.hidden_fault,
        reveal=kniffel_dealing.reveal,
        is_shown=kniffel_dealing.is_shown,
    ),
}


def begin(record: Record) -> DealtSheet:
    """Return an empty sheet for a record that has only its header."""
    sheet: DealtSheet = ONLINE_KINDS[record.kind].begin(record)
    return sheet


def resume(record: Record, state: dict[str, Any]) -> DealtSheet:
    """Return the sheet that `DealtSheet.state` described, in a time that doesn't grow with the
    game."""
    sheet: DealtSheet = ONLINE_KINDS[record.kind].resume(record, state)
    return sheet


def fold(record: Record, entries: Iterable[SheetEntry]) -> DealtSheet:
    """Return the sheet after these accepted entries. Raise ValueError for one with a fault."""
    sheet = begin(record)
    for number, entry in enumerate(entries):
        wrong = sheet.apply(entry)
        if wrong is not None:
            raise ValueError(f"entry {number}: {wrong.message}")
    return sheet
