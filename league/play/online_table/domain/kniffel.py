"""A table of Lügen-Kniffel as one viewer sees it: what everybody knows, the own dice, and what can
be done now."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.kniffel.combinations import (
    ANNOUNCEABLE,
    MOST_POINTS,
    Announcement,
    can_be_announced,
    score,
)
from engine.kniffel.notation import announcement_text, dice_text
from engine.kniffel.rolls import ROLLS
from engine.kniffel.sheet import Sheet
from engine.kniffel.state import game_of_state
from engine.record.kniffel.turn import read_turn
from engine.sheet.kniffel.dealing import DealtTurn
from engine.sheet.kniffel.online import KniffelSheet
from games.domain.turn import PlayedTurn, SheetsView, played_turn, sheets_view


class CupNow(NamedTuple):
    """One of the three cups that are nested in each other. `standing`: it was turned over in this
    turn. `dice`: those that stay under it, which only the roller sees; none under the last one,
    whose dice are told apart."""

    standing: bool
    dice: str


class AnnounceOption(NamedTuple):
    """All that a choice in the form needs: the combination, its points, and both as an entry has
    them."""

    combination: str
    points: int
    value: str


class AnnounceGroup(NamedTuple):
    """What can be announced in one combination."""

    combination: str
    options: Sequence[AnnounceOption]


@dataclass(frozen=True, slots=True)
class KniffelSeatNow:
    """A seat as everybody sees it. `is_awaited`: the table waits for it. `answered`: it has said
    whether it believes, and nobody knows yet what."""

    number: int
    name: str
    automatic: bool
    is_me: bool
    is_roller: bool
    is_awaited: bool
    answered: bool
    has_left: bool
    total: int
    rank: int | None
    phrase: str
    is_program: bool = False

    @property
    def handle(self) -> str:
        """The name that its picture is made of."""
        return self.name


@dataclass(frozen=True, slots=True)
class KniffelTableNow:
    """A table of Lügen-Kniffel for one viewer. `me`: the own seat, None for a spectator.

    `dealt`: the own turn with its dice, None for everybody but the roller. `truths`: what the dice
    score where that can be announced. `groups`: all that can be announced. Both are empty unless
    one announces now."""

    seats: Sequence[KniffelSeatNow]
    turn_number: int
    roller: int | None
    rolls: int
    announcement: Announcement | None
    over: bool
    me: int | None
    dealt: DealtTurn | None
    truths: Sequence[AnnounceOption]
    groups: Sequence[AnnounceGroup]
    sheets: SheetsView

    @property
    def awaited(self) -> list[KniffelSeatNow]:
        """The seats for which the table waits."""
        return [seat for seat in self.seats if seat.is_awaited]

    @property
    def my_turn(self) -> bool:
        """True if the viewer acts now."""
        return self.me is not None and self.seats[self.me].is_awaited

    @property
    def i_roll(self) -> bool:
        """True if the viewer rolls or announces now."""
        return self.my_turn and self.announcement is None

    @property
    def may_roll(self) -> bool:
        """True if the viewer has a roll left. Ruling K11 (K)."""
        return self.i_roll and self.rolls < ROLLS[-1]

    @property
    def is_rolling(self) -> bool:
        """True if the viewer has rolled and goes on with that: what was before is then out of the
        way."""
        return self.i_roll and self.rolls > 0

    @property
    def may_answer(self) -> bool:
        """True if the viewer is asked to believe or to doubt. Ruling K16."""
        return self.my_turn and self.announcement is not None

    @property
    def i_play(self) -> bool:
        """True if the viewer has a seat that takes part in the game."""
        return self.me is not None and not self.seats[self.me].has_left

    @property
    def may_order(self) -> bool:
        """True if the viewer may give a standing order now: one who plays and isn't to act."""
        return self.i_play and not self.my_turn and not self.over

    @property
    def most_points(self) -> int:
        """The most points that can be announced. Ruling K2 (K)."""
        return MOST_POINTS

    @property
    def cups(self) -> list[CupNow]:
        """The three cups, the first one that is turned over first. Everybody sees how many stand
        there, and nobody but the roller what stays under one. Ruling K11 (K)."""
        kept = [] if self.dealt is None else [dice_text(roll.kept) for roll in self.dealt.rolls[1:]]
        return [
            CupNow(standing=number < self.rolls, dice=kept[number] if number < len(kept) else "")
            for number in range(ROLLS[-1])
        ]

    @property
    def fresh(self) -> str:
        """The own dice that were rolled last."""
        return "" if self.dealt is None else dice_text(self.dealt.fresh)

    @property
    def locked(self) -> str:
        """The own dice that stay under earlier cups."""
        return "" if self.dealt is None else dice_text(self.dealt.locked)

    @property
    def ranking(self) -> list[KniffelSeatNow]:
        """The seats of a game that is over, best first."""
        return sorted(self.seats, key=lambda each: (each.rank or 0, each.number))


def kniffel_now(
    sheet: KniffelSheet,
    names: Sequence[tuple[str, bool]],
    me: int | None,
    dealt: DealtTurn | None,
    last: PlayedTurn | None,
    phrases: Sequence[str] = (),
    programs: Collection[int] = (),
) -> KniffelTableNow:
    """Return what a viewer sees. `names`: of each seat, with whether it is an automatic player;
    `dealt`: the dice of the seat `me`, if it rolls; `last`: the turn that was closed last;
    `phrases`: what each seat says; `programs`: the seats of programs."""
    ranks = sheet.sheet.ending.rank
    totals = sheet.game.totals
    heard = {*sheet.answered, *sheet.silent}
    seats = [
        KniffelSeatNow(
            number=number,
            name=name,
            automatic=automatic,
            is_me=number == me,
            is_roller=number == sheet.roller,
            is_awaited=number in sheet.to_act,
            answered=number in heard,
            has_left=number not in sheet.staying,
            total=totals[number],
            rank=None if ranks is None else ranks[number],
            phrase=phrases[number] if phrases else "",
            is_program=number in programs,
        )
        for number, (name, automatic) in enumerate(names)
    ]
    announces = dealt is not None and not sheet.asks_all
    return KniffelTableNow(
        seats=seats,
        turn_number=sheet.closed + 1,
        roller=sheet.roller,
        rolls=sheet.rolls,
        announcement=sheet.announcement,
        over=sheet.over,
        me=me,
        dealt=dealt,
        truths=_truths(sheet, dealt) if announces and dealt else [],
        groups=_groups(sheet) if announces else [],
        sheets=sheets_view(sheet.game.sheets, last),
    )


def open_combinations(sheet: Sheet) -> list[str]:
    """Return the combinations that a seat can still announce, in the order of the printed sheet.
    Ruling K5 (K)."""
    return [name for name, field in sheet.items() if not field.filled]


def _truths(sheet: KniffelSheet, dealt: DealtTurn) -> list[AnnounceOption]:
    """Return what the dice score in each open combination, where that can be announced. Rulings K2,
    K4 (K)."""
    rules = sheet.game.rules
    combinations = open_combinations(sheet.game.sheets[sheet.roller])
    scored = [Announcement(name, score(name, dealt.dice)) for name in combinations]
    return [_option(said) for said in scored if can_be_announced(said, rules)]


def _groups(sheet: KniffelSheet) -> list[AnnounceGroup]:
    """Return all that can be announced. Rulings K2, K5 (K)."""
    zero = {0} if sheet.game.rules.allow_zero else set()
    return [
        AnnounceGroup(
            name,
            [_option(Announcement(name, points)) for points in sorted(ANNOUNCEABLE[name] | zero)],
        )
        for name in open_combinations(sheet.game.sheets[sheet.roller])
    ]


def _option(said: Announcement) -> AnnounceOption:
    return AnnounceOption(said.combination, said.points, announcement_text(said))


def last_turn(sheet: KniffelSheet) -> PlayedTurn | None:
    """Return what came of the turn that was closed last; None before the first."""
    if sheet.last is None:
        return None
    turn, _ = read_turn(sheet.last.turn, len(sheet.record.seats), "")
    assert turn is not None
    return played_turn(sheet.last.number, game_of_state(sheet.game.rules, sheet.last.before), turn)
