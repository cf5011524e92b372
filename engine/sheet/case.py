"""The usual cases in which a table calls the arbiter, each with its ruling and possible decisions.

Sheets store the codes of cases and decisions, so a code in use must never change.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from engine.illegal import Illegal, Refused
from engine.messages import Message, say
from engine.record.bluff.kind import BLUFF
from engine.record.kind import AnyKind
from engine.record.kniffel.kind import KNIFFEL


class CaseDecision(NamedTuple):
    """A decision by its code.

    `label` is what the arbiter says, and `then` what the table does next.
    """

    code: str
    label: Message
    then: Message


class UsualCase(NamedTuple):
    """A usual case by its code.

    `ruling` is the number of the rule that applies, or of the closest one. `text` sums the rule up,
    or says what is usual where no rule applies. `dealt` is True if the case can also arise where
    the service deals the dice.
    """

    code: str
    ruling: str
    title: Message
    text: Message
    decisions: tuple[CaseDecision, ...]
    dealt: bool = False


PLAY_ON: Final = CaseDecision(
    "play_on",
    say("Play on as it stands"),
    say("Nothing changes: play on."),
)
ROUND_VOID: Final = CaseDecision(
    "void",
    say("The round is void"),
    say(
        "Note the round as void (More, “The round is void”). "
        "It is played again, with the same opener."
    ),
)
TURN_VOID: Final = CaseDecision(
    "void",
    say("The turn is void"),
    say("Note the turn as void (More, “The round is void”). The same player takes it again."),
)
WAIT: Final = CaseDecision(
    "wait",
    say("Wait for the player"),
    say("Wait as long as the arbiter says. Call again if nobody comes."),
)
LEAVES: Final = CaseDecision(
    "leaves",
    say("The player takes no further part"),
    say(
        "Note that the player leaves (More, “Somebody leaves”); online, the clock takes care of "
        "that. Play on without them."
    ),
)
STANDS: Final = CaseDecision(
    "stands",
    say("It stands"),
    say("It stands as it was said. If something else was noted, undo that and note what was said."),
)
NOT_SAID: Final = CaseDecision(
    "not_said",
    say("It hasn’t been said yet"),
    say("If it was noted, undo it. Whoever is to act can still choose freely."),
)
SET_BACK: Final = CaseDecision(
    "set_back",
    say("The dice are set back"),
    say("Set the dice back as they lay, and play on."),
)
AMEND: Final = CaseDecision(
    "amend",
    say("The round was noted wrong"),
    say(
        "Amend the round to what the arbiter says (More, “Amend an earlier round”). The service "
        "doesn’t change it for you."
    ),
)
RIGHT: Final = CaseDecision(
    "right",
    say("The round was noted right"),
    say("Nothing changes: play on."),
)
ABSENT_TITLE: Final = say("A player is missing or leaves")
OTHER: Final = UsualCase(
    "other",
    "",
    say("Something else"),
    say("No rule covers this case. The arbiter decides at the table, and says why."),
    (PLAY_ON, ROUND_VOID),
    dealt=True,
)
BLUFF_CASES: Final = (
    UsualCase(
        "cocked",
        "B16",
        say("A cocked die"),
        say(
            "Dice that stand on edge or lie on each other are shown by lifting the cup. That "
            "player rolls all dice in the cup again."
        ),
        (
            CaseDecision(
                "roll_again",
                say("The player rolls again"),
                say(
                    "The player rolls all dice in the cup again. The bids stand, and the round "
                    "goes on."
                ),
            ),
            CaseDecision(
                "flat",
                say("The dice lie flat"),
                say("Nobody rolls again: the dice count as they lie. Play on."),
            ),
        ),
    ),
    UsualCase(
        "floor",
        "B16",
        say("A die on the floor"),
        say(
            "No printed rule covers it. Usually the die counts as cocked: the player rolls all "
            "dice in the cup again."
        ),
        (
            CaseDecision(
                "roll_again",
                say("The player rolls again"),
                say(
                    "The player rolls all dice in the cup again. The bids stand, and the round "
                    "goes on."
                ),
            ),
            ROUND_VOID,
        ),
    ),
    UsualCase(
        "absent",
        "B17",
        ABSENT_TITLE,
        say(
            "A player who leaves takes no further part. Between two rounds, their dice leave the "
            "game; during a round, that round is void and is played again without them."
        ),
        (WAIT, LEAVES),
        dealt=True,
    ),
    UsualCase(
        "shown",
        "B18",
        say("Dice were shown, or a cup was lifted too early"),
        say(
            "Whoever shows dice bears the consequences alone: the dice count as they lie, and "
            "the round goes on."
        ),
        (
            CaseDecision(
                "as_they_lie",
                say("The dice count as they lie"),
                say("Cover the dice again, and play on."),
            ),
            CaseDecision(
                "not_shown",
                say("Nothing was shown"),
                say("Nothing changes: play on."),
            ),
        ),
    ),
    UsualCase(
        "changed",
        "B18",
        say("Dice were changed"),
        say(
            "Changed dice are set back if the table agrees how they lay. If it doesn’t, the "
            "round is void, and is played again with the same opener."
        ),
        (SET_BACK, ROUND_VOID),
    ),
    UsualCase(
        "taken_back",
        "B18",
        say("A bid is taken back"),
        say("A bid that was said stands."),
        (STANDS, NOT_SAID),
    ),
    UsualCase(
        "miscount",
        "B7",
        say("A miscount"),
        say(
            "For a number, count all dice that show it and all stars; for stars, count only the "
            "stars. Dice that were laid out count, too. What can no longer be settled stands, "
            "or the round is void."
        ),
        (AMEND, RIGHT, ROUND_VOID),
    ),
    OTHER,
)
KNIFFEL_CASES: Final = (
    UsualCase(
        "cocked",
        "K17",
        say("A cocked die"),
        say(
            "Dice that were just rolled and stand on edge or lie on each other are rolled again. "
            "Dice under another cup stay as they lie."
        ),
        (
            CaseDecision(
                "roll_again",
                say("These dice are rolled again"),
                say("The roller rolls the dice of this roll again. It counts as one roll."),
            ),
            CaseDecision(
                "flat",
                say("The dice lie flat"),
                say("Nobody rolls again: the dice count as they lie. Play on."),
            ),
        ),
    ),
    UsualCase(
        "floor",
        "K17",
        say("A die on the floor"),
        say(
            "No printed rule covers it. Usually the die counts as cocked: the dice just rolled "
            "are rolled again."
        ),
        (
            CaseDecision(
                "roll_again",
                say("These dice are rolled again"),
                say("The roller rolls the dice of this roll again. It counts as one roll."),
            ),
            TURN_VOID,
        ),
    ),
    UsualCase(
        "absent",
        "K15",
        ABSENT_TITLE,
        say("Whoever leaves takes no further part. If it is their turn, that turn is void."),
        (WAIT, LEAVES),
        dealt=True,
    ),
    UsualCase(
        "shown",
        "K17",
        say("Dice were shown"),
        say(
            "Whoever shows dice bears the consequences alone: they count as they lie, and the "
            "turn goes on."
        ),
        (
            CaseDecision(
                "as_they_lie",
                say("The dice count as they lie"),
                say("Cover the dice again, and play on."),
            ),
            CaseDecision(
                "not_shown",
                say("Nothing was shown"),
                say("Nothing changes: play on."),
            ),
        ),
    ),
    UsualCase(
        "changed",
        "K17",
        say("Dice were changed"),
        say(
            "Dice mustn’t be changed under the cups. If they were, the turn is void and taken "
            "again."
        ),
        (
            TURN_VOID,
            CaseDecision(
                "not_changed",
                say("Nothing was changed"),
                say("Nothing changes: play on."),
            ),
        ),
    ),
    UsualCase(
        "taken_back",
        "K17",
        say("An announcement is taken back"),
        say("As with a bid: what was announced stands."),
        (STANDS, NOT_SAID),
    ),
    UsualCase(
        "time_up",
        "K17",
        say("Time is up"),
        say(
            "Turns go on until every seat still playing has had the same number. A last lap is "
            "played out."
        ),
        (
            CaseDecision(
                "go_on",
                say("The missing turns are played"),
                say(
                    "Play on until everybody has had the same number of turns. Then note that "
                    "time is up (More, “Time is up”)."
                ),
            ),
            CaseDecision(
                "whole_round",
                say("The last full round ends it"),
                say("Note that time is up (More, “Time is up”), and end with the last full round."),
            ),
        ),
    ),
    UsualCase(
        "miscount",
        "K4",
        say("A miscount"),
        say(
            "The points must be what the dice score in the combination that was announced. What "
            "can no longer be settled stands, or the turn is void."
        ),
        (AMEND, RIGHT, TURN_VOID),
    ),
    OTHER._replace(decisions=(PLAY_ON, TURN_VOID)),
)
CASES: Final[Mapping[AnyKind, Mapping[str, UsualCase]]] = {
    BLUFF: {case.code: case for case in BLUFF_CASES},
    KNIFFEL: {case.code: case for case in KNIFFEL_CASES},
}
"""The cases of each kind of game by code, in the order in which an arbiter sees them."""


def case_of(kind: AnyKind, code: Any, path: str | None = None) -> UsualCase:
    """Return the case with this code. Raise `Refused` (`no_such_case`) with the path."""
    cases = CASES[kind]
    if not isinstance(code, str) or code not in cases:
        raise Refused(Illegal("no_such_case", say("this game has no such case"), path=path))
    return cases[code]


def decision_of(case: UsualCase, code: Any, path: str | None = None) -> CaseDecision:
    """Return the decision with this code. Raise `Refused` (`no_such_decision`) with the path."""
    for decision in case.decisions:
        if decision.code == code:
            return decision
    raise Refused(
        Illegal("no_such_decision", say("this case can’t be decided that way"), path=path)
    )
