"""The practice lesson: one round of Bluff, played step by step, always with the same dice. Nothing
is stored: the address holds the step and the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, pgettext_lazy

from engine.bluff.hand import sort_hand
from engine.bluff.move import CHALLENGE, Move, parse_move
from engine.bluff.ruleset import Ruleset
from engine.illegal import Illegal
from engine.record.bluff.kind import BLUFF
from engine.record.bluff.round import RoundRecord, round_json
from engine.record.record import Record
from engine.sheet import online
from engine.sheet.entry import SheetEntry
from engine.sheet.online import OnlineSheet
from league.play.online_table.domain.bluff import OnlineTableNow, Showdown, showdown, table_now

ME: Final = 0
HANDS: Final = ("244*5", "1433*", "11245")
"""The dice of the learner and of two automatic players: six of the fifteen dice count for a bid of
fours.
"""
OTHERS: Final = ("Rosa", "Otto")
OPENER: Final = 1
RULES: Final = Ruleset()


@dataclass(frozen=True, slots=True)
class LessonAnswer:
    """A possible answer at a step. `says`: the response to it. Only the right answer leads to the
    next step.
    """

    label: Promise
    says: Promise
    right: bool = False


@dataclass(frozen=True, slots=True)
class LessonStep:
    """A step of the lesson: the question `text`, the answers, and the `bids` made so far.
    `cup_closed`: the learner hasn't looked under the cup. `lifted`: all cups are up.
    """

    text: Promise
    answers: Sequence[LessonAnswer]
    bids: Sequence[str] = ()
    cup_closed: bool = False
    lifted: bool = False


BEFORE_ME: Final = ("3x2", "4x4")
MINE: Final = (*BEFORE_ME, "5x4")
TOO_MUCH: Final = (*MINE, "6x4", "9x4")
STEPS: Final = (
    LessonStep(
        gettext_lazy(
            "Three players have five dice each, under a cup. Nobody sees anybody else’s dice."
        ),
        (
            LessonAnswer(
                gettext_lazy("Look under your cup"),
                gettext_lazy("These five are yours alone."),
                right=True,
            ),
        ),
        cup_closed=True,
    ),
    LessonStep(
        gettext_lazy("A star counts as every number. How many of your dice count as fours?"),
        (
            LessonAnswer(
                pgettext_lazy("dice", "Two"),
                gettext_lazy("Two show a four, and the star counts, too: three."),
            ),
            LessonAnswer(
                pgettext_lazy("dice", "Three"),
                gettext_lazy("Right: two fours and the star make three."),
                right=True,
            ),
            LessonAnswer(
                pgettext_lazy("dice", "Five"),
                gettext_lazy("The two and the five don’t count as fours."),
            ),
        ),
    ),
    LessonStep(
        gettext_lazy(
            "Bids are about all dice together, under all cups. Rosa has bid three twos, Otto "
            "four fours. You have to bid more, or doubt it. You have three fours yourself. Bid "
            "more: which of these is further along the track?"
        ),
        (
            LessonAnswer(
                gettext_lazy("Three fives"),
                gettext_lazy("Three comes before four on the track: that is less."),
            ),
            LessonAnswer(
                gettext_lazy("Five fours"),
                gettext_lazy("Right: five is further along than four."),
                right=True,
            ),
            LessonAnswer(
                gettext_lazy("Four threes"),
                gettext_lazy(
                    "On the same field the number has to be higher, "
                    "and threes are lower than fours."
                ),
            ),
        ),
        BEFORE_ME,
    ),
    LessonStep(
        gettext_lazy(
            "Rosa goes up to six fours, Otto to nine. "
            "There are fifteen dice, and about a third of them fits any number, "
            "stars included: five. You have three. Do you believe in nine fours?"
        ),
        (
            LessonAnswer(
                gettext_lazy("Ten fours!"),
                gettext_lazy(
                    "Then the next player doubts you: ten of fifteen dice would have to be "
                    "fours or stars."
                ),
            ),
            LessonAnswer(
                gettext_lazy("Cups up!"),
                gettext_lazy("You have challenged Otto: all cups go up."),
                right=True,
            ),
        ),
        TOO_MUCH,
    ),
    LessonStep(
        gettext_lazy(
            "Six dice count: your three, two of Rosa’s, one of Otto’s. Otto bid nine. Whoever "
            "was wrong loses as many dice as they were off by. Who loses how many?"
        ),
        (
            LessonAnswer(
                gettext_lazy("You lose three"),
                gettext_lazy("You were right to doubt it: you lose nothing."),
            ),
            LessonAnswer(
                gettext_lazy("Otto loses nine"),
                gettext_lazy("Only the difference counts: nine bid, six there."),
            ),
            LessonAnswer(
                gettext_lazy("Otto loses three"),
                gettext_lazy("Right: nine minus six is three."),
                right=True,
            ),
        ),
        TOO_MUCH,
        lifted=True,
    ),
)


def step_after(number: int, answer: int | None) -> tuple[int, LessonAnswer | None]:
    """Return the number of the step that an answer to step `number` leads to, and the answer.

    Return the same step and None if there is no such answer. A number beyond the last step is the
    end of the lesson.
    """
    is_over = number >= len(STEPS)
    if is_over or answer is None or answer not in range(len(STEPS[number].answers)):
        return min(number, len(STEPS)), None
    chosen = STEPS[number].answers[answer]
    return number + chosen.right, chosen


def table_at(number: int, me: str) -> OnlineTableNow:
    """Return the table of a step as the learner, called `me`, sees it. After the last step Otto has
    lost his dice.
    """
    sheet = online.begin(_record())
    is_end = number == len(STEPS)
    bids = TOO_MUCH if is_end else STEPS[number].bids
    for bid in bids:
        _apply(sheet, SheetEntry("bid", {"seat": sheet.round.turn, "bid": bid}))
    if is_end:
        _apply(sheet, SheetEntry("challenge", {"seat": ME}))
        _apply(sheet, SheetEntry("reveal", {"round": round_json(_played()), "link": ""}))

    automatic_names = [(name, True) for name in OTHERS]
    is_closed = not is_end and STEPS[number].cup_closed
    cup = "" if is_closed else sort_hand(HANDS[ME])
    return table_now(sheet, [(me, False), *automatic_names], ME, cup)


def showdown_at(number: int) -> Showdown | None:
    """Return the showdown of a step, None before the cups are up. It contains the losses only after
    the last step.
    """
    is_end = number == len(STEPS)
    if not is_end and not STEPS[number].lifted:
        return None
    lifted = showdown(RULES, round_json(_played()))
    if is_end:
        return lifted
    return replace(lifted, losses=[0] * len(HANDS))


def _apply(sheet: OnlineSheet, entry: SheetEntry) -> None:
    fault = sheet.apply(entry)
    assert fault is None, fault


def _played() -> RoundRecord:
    bids = [_move(bid) for bid in TOO_MUCH]
    hands = [sort_hand(hand) for hand in HANDS]
    return RoundRecord("dealt", opener=OPENER, hands=tuple(hands), moves=(*bids, CHALLENGE))


def _move(text: str) -> Move:
    move = parse_move(text)
    assert not isinstance(move, Illegal)
    return move


def _record() -> Record:
    return Record(
        record_id="lesson",
        kind=BLUFF,
        rules=RULES,
        seats=("me", *OTHERS),
        opener=OPENER,
        season=None,
        event=None,
        table=None,
        played_at=None,
        rounds=(),
        result=None,
    )
