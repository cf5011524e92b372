"""The games that can be played at an online table: one object a game holds all that differs between
them there."""

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
    """All that an online table adds to a kind of game; the record, which lies below, can't know it.

    `begin(record)`, `resume(record, state)`: its sheet, new or as `state()` told.
    `public_part(act)`: what everybody sees of an act of a seat, and what stands on the sheet;
    raises `Refused` for one that isn't written as an act. Where that is less than the whole act,
    the whole one is hidden until the round is closed.

    `hides`: whether there are such acts; `hidden` below are those of the round that is played, in
    their order. `own_dice(dealer, sheet, hidden, seat)`: what lies under the cups of a seat, for
    whoever sits there. `depends_on_dice(act)`: whether the dice under the cups decide if an act can
    stand. `hidden_fault(dealer, sheet, hidden, act)`: the fault of an act that the dice under the
    cups don't allow. `reveal(dealer, sheet, hidden)`: the value of the entry by which the dealer
    closes a round. `is_shown(round)`: whether the dice of a closed round lie open, so that its key
    is revealed."""

    begin: Callable[[Record], SheetT]
    resume: Callable[[Record, dict[str, Any]], SheetT]
    public_part: Callable[[SheetEntry], SheetEntry]
    hides: bool
    own_dice: Callable[[Dealer, SheetT, HiddenActs, int], Any]
    depends_on_dice: Callable[[SheetEntry], bool]
    hidden_fault: Callable[[Dealer, SheetT, HiddenActs, SheetEntry], Illegal | None]
    reveal: Callable[[Dealer, SheetT, HiddenActs], dict[str, Any]]
    is_shown: Callable[[Any], bool]


AnyOnlineKind: TypeAlias = OnlineKind[Any]
ONLINE_KINDS: Final[Mapping[AnyKind, AnyOnlineKind]] = {
    BLUFF: OnlineKind(
        begin=bluff_online.begin,
        resume=bluff_online.resume,
        public_part=lambda act: act,
        hides=False,
        own_dice=lambda dealer, sheet, hidden, seat: bluff_dealing.cup(dealer, sheet, seat),
        depends_on_dice=bluff_dealing.lays_dice_out,
        hidden_fault=lambda dealer, sheet, hidden, act: bluff_dealing.hidden_fault(
            dealer, sheet, act
        ),
        reveal=lambda dealer, sheet, hidden: bluff_dealing.reveal(dealer, sheet),
        is_shown=lambda played: True,
    ),
    KNIFFEL: OnlineKind(
        begin=kniffel_online.begin,
        resume=kniffel_online.resume,
        public_part=kniffel_dealing.public_part,
        hides=True,
        own_dice=kniffel_dealing.own_dice,
        depends_on_dice=lambda act: act.act == "roll",
        hidden_fault=kniffel_dealing.hidden_fault,
        reveal=kniffel_dealing.reveal,
        is_shown=kniffel_dealing.is_shown,
    ),
}


def begin(record: Record) -> DealtSheet:
    """Return a sheet without entries, of a record that has its header alone."""
    sheet: DealtSheet = ONLINE_KINDS[record.kind].begin(record)
    return sheet


def resume(record: Record, state: dict[str, Any]) -> DealtSheet:
    """Return the sheet of which `DealtSheet.state` told; its cost doesn't depend on how long the
    game is."""
    sheet: DealtSheet = ONLINE_KINDS[record.kind].resume(record, state)
    return sheet


def fold(record: Record, entries: Iterable[SheetEntry]) -> DealtSheet:
    """Return the sheet after entries that were all taken. ValueError for one that can't stand."""
    sheet = begin(record)
    for number, entry in enumerate(entries):
        wrong = sheet.apply(entry)
        if wrong is not None:
            raise ValueError(f"entry {number}: {wrong.message}")
    return sheet
