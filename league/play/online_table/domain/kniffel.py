"""A Lügen-Kniffel table as one viewer sees it: what everybody knows, their own dice, and what they
can do now.
"""

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
    """One of the three nested cups. `standing`: it was turned over in this turn.

    `dice`: the dice that stay under it, which only the roller sees; empty for the last cup, whose
    dice are the fresh ones.
    """

    standing: bool
    dice: str


class AnnounceOption(NamedTuple):
    """A choice in the form: the combination, its points, and both as an entry writes them."""

    combination: str
    points: int
    value: str


class AnnounceGroup(NamedTuple):
    """The announcements that are possible in one combination."""

    combination: str
    options: Sequence[AnnounceOption]


@dataclass(frozen=True, slots=True)
class KniffelSeatNow:
    """A seat as everybody sees it. `is_awaited`: the table waits for it. `answered`: it has
    believed or doubted, but nobody knows yet which.
    """

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
        """Return the name from which its picture is made."""
        return self.name


@dataclass(frozen=True, slots=True)
class KniffelTableNow:
    """A table of Lügen-Kniffel for one viewer. `me`: the viewer's seat, None for a spectator.

    `dealt`: the viewer's turn with its dice, None unless the viewer is the roller. `truths`: the
    true announcements. `groups`: all possible announcements. Both are empty unless the viewer is to
    announce.
    """

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
        """Return the seats for which the table waits."""
        return [seat for seat in self.seats if seat.is_awaited]

    @property
    def my_turn(self) -> bool:
        """Return True if the viewer is to act."""
        return self.me is not None and self.seats[self.me].is_awaited

    @property
    def i_roll(self) -> bool:
        """Return True if the viewer is to roll or announce."""
        return self.my_turn and self.announcement is None

    @property
    def may_roll(self) -> bool:
        """Return True if the viewer has a roll left. Ruling K11 (K)."""
        return self.i_roll and self.rolls < ROLLS[-1]

    @property
    def is_rolling(self) -> bool:
        """Return True if the viewer has rolled and hasn't announced yet; the page then folds the
        last turn away.
        """
        return self.i_roll and self.rolls > 0

    @property
    def may_answer(self) -> bool:
        """Return True if the viewer is asked to believe or to doubt. Ruling K16."""
        return self.my_turn and self.announcement is not None

    @property
    def i_play(self) -> bool:
        """Return True if the viewer's seat still takes part in the game."""
        return self.me is not None and not self.seats[self.me].has_left

    @property
    def may_order(self) -> bool:
        """Return True if the viewer may give a standing order now."""
        return self.i_play and not self.my_turn and not self.over

    @property
    def most_points(self) -> int:
        """Return the most points that can be announced. Ruling K2 (K)."""
        return MOST_POINTS

    @property
    def cups(self) -> list[CupNow]:
        """Return the three cups, in the order in which they are turned over. Ruling K11 (K).

        Everybody sees how many stand; only the roller sees which dice stay under one.
        """
        dice_under_cups: list[str] = []
        if self.dealt is not None:
            dice_under_cups = [dice_text(roll.kept) for roll in self.dealt.rolls[1:]]
        cups = []
        most_rolls = ROLLS[-1]
        for number in range(most_rolls):
            dice = dice_under_cups[number] if number < len(dice_under_cups) else ""
            cups.append(CupNow(standing=number < self.rolls, dice=dice))
        return cups

    @property
    def fresh(self) -> str:
        """Return the viewer's dice that were rolled last."""
        return "" if self.dealt is None else dice_text(self.dealt.rolled)

    @property
    def locked(self) -> str:
        """Return the viewer's dice that stay under earlier cups."""
        return "" if self.dealt is None else dice_text(self.dealt.locked)

    @property
    def ranking(self) -> list[KniffelSeatNow]:
        """Return the seats of a finished game, best first."""
        return sorted(self.seats, key=lambda seat: (seat.rank or 0, seat.number))


def kniffel_now(
    sheet: KniffelSheet,
    names: Sequence[tuple[str, bool]],
    me: int | None,
    dealt: DealtTurn | None,
    last: PlayedTurn | None,
    phrases: Sequence[str] = (),
    programs: Collection[int] = (),
) -> KniffelTableNow:
    """Return the table as a viewer sees it.

    `names`: for each seat its name, and whether it is an automatic player. `dealt`: the dice of the
    seat `me`, if it is the roller. `last`: the last closed turn. `phrases`: the phrase of each
    seat. `programs`: the seats of programs.
    """
    truths: list[AnnounceOption] = []
    groups: list[AnnounceGroup] = []
    if dealt is not None and not sheet.asks_all:
        truths = _true_announcements(sheet, dealt)
        groups = _possible_announcements(sheet)
    return KniffelTableNow(
        seats=_seats_now(sheet, names, me, phrases, programs),
        turn_number=sheet.closed + 1,
        roller=sheet.roller,
        rolls=sheet.rolls,
        announcement=sheet.announcement,
        over=sheet.over,
        me=me,
        dealt=dealt,
        truths=truths,
        groups=groups,
        sheets=sheets_view(sheet.game.sheets, last),
    )


def _seats_now(
    sheet: KniffelSheet,
    names: Sequence[tuple[str, bool]],
    me: int | None,
    phrases: Sequence[str],
    programs: Collection[int],
) -> list[KniffelSeatNow]:
    ranks = sheet.sheet.ending.rank
    totals = sheet.game.totals
    answered = {*sheet.answered, *sheet.silent}
    seats = []
    for number, (name, automatic) in enumerate(names):
        seat = KniffelSeatNow(
            number=number,
            name=name,
            automatic=automatic,
            is_me=number == me,
            is_roller=number == sheet.roller,
            is_awaited=number in sheet.to_act,
            answered=number in answered,
            has_left=number not in sheet.staying,
            total=totals[number],
            rank=ranks[number] if ranks else None,
            phrase=phrases[number] if phrases else "",
            is_program=number in programs,
        )
        seats.append(seat)
    return seats


def open_combinations(sheet: Sheet) -> list[str]:
    """Return the combinations that a seat can still announce, in the order of the printed sheet.
    Ruling K5 (K).
    """
    return [name for name, field in sheet.items() if not field.filled]


def _true_announcements(sheet: KniffelSheet, dealt: DealtTurn) -> list[AnnounceOption]:
    """Return the announcements that are true of the roller's dice. Ruling K4 (K): what the dice
    score in each combination. Ruling K2 (K): what can be announced.
    """
    truths = []
    for combination in open_combinations(sheet.game.sheets[sheet.roller]):
        announcement = Announcement(combination, score(combination, dealt.dice))
        if can_be_announced(announcement, sheet.game.rules):
            truths.append(_option(announcement))
    return truths


def _possible_announcements(sheet: KniffelSheet) -> list[AnnounceGroup]:
    """Return what the roller can announce, true or not. Ruling K2 (K): the points of each
    combination. Ruling K5 (K): combinations that are noted or crossed can't be announced.
    """
    zero = {0} if sheet.game.rules.allow_zero else set()
    groups = []
    for combination in open_combinations(sheet.game.sheets[sheet.roller]):
        all_points = sorted(ANNOUNCEABLE[combination] | zero)
        options = [_option(Announcement(combination, points)) for points in all_points]
        groups.append(AnnounceGroup(combination, options))
    return groups


def _option(announcement: Announcement) -> AnnounceOption:
    return AnnounceOption(
        announcement.combination, announcement.points, announcement_text(announcement)
    )


def last_turn(sheet: KniffelSheet) -> PlayedTurn | None:
    """Return the last closed turn with its result; None before the first."""
    if sheet.last is None:
        return None
    turn, _ = read_turn(sheet.last.turn, len(sheet.record.seats), "")
    assert turn is not None
    game = game_of_state(sheet.game.rules, sheet.last.before)
    return played_turn(sheet.last.number, game, turn)
