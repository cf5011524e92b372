"""Luck apart from decisions: what the dice under the other cups brought at the showdown, beyond what was to expect.

Luck of a seat = lead in dice that the showdown brought it, less the lead it had to expect of this bet (see `bet`
for the lead). The bidder's expectation is that of its bid before any reroll, the challenger's that of its
challenge, everybody else's that at the challenge, each from its own view where its hand is recorded.

The measure is biased, and says so in its output: see CANNOT_TELL.
"""

from collections.abc import Sequence
from operator import neg
from typing import Final, NamedTuple

from engine.analysis.bet import lead
from engine.analysis.decisions import Decision
from engine.analysis.moment import ReplayedRound
from engine.analysis.outlook import PLACES, Known, Outlook
from engine.bluff.ruleset import Ruleset
from engine.record.shape import Json

CANNOT_TELL: Final = (
    "A good or bad first roll is no luck here: only the dice that a seat didn't see at the showdown are.",
    "Bids are made from dice: who gets challenged on a bid that others backed holds more often than fair dice say, "
    "so with weight 0 challengers look unluckier and bidders luckier than they were.",
    "Where a seat's hand isn't told, its luck is taken from the public view and mixes in what it held itself.",
    "Rounds that tell no last bid and count, or had no showdown, are left out.",
)
"""What the measure of luck can't tell."""


class Luck(NamedTuple):
    """One seat at one showdown: the lead in dice that it had to expect and the lead that it got."""

    seat: int
    known: Known
    expected: float
    result: float

    @property
    def luck(self) -> float:
        """The lead beyond what was to expect, in dice."""
        return self.result - self.expected

    def as_json(self) -> dict[str, Json]:
        """The luck of one seat as a JSON object."""
        figures: dict[str, float] = {"expected": self.expected, "result": self.result, "luck": self.luck}
        rounded: dict[str, Json] = {key: round(figure, PLACES) for key, figure in figures.items()}
        return {"seat": self.seat, "known": self.known} | rounded


def showdown_luck(
    rules: Ruleset, played: ReplayedRound, decided: Sequence[Decision], weight: float
) -> tuple[Luck, ...]:
    """The luck of each seat that owned dice, at the showdown of a round with the decisions `decided`.

    Empty where there was no showdown or its bet isn't recorded. `weight`: see `belief`.
    """
    if played.result.count is None:
        return ()
    own = {decision.seat: decision for decision in decided[-2:]}
    lost = tuple(map(neg, played.result.delta))
    lucks: list[Luck] = []
    for seat, dice in enumerate(played.owned):
        if not dice:
            continue
        result = lead(lost, played.owned, seat)
        decision = own.get(seat)
        if decision is not None:
            lucks.append(Luck(seat, decision.known, decision.made.value, result))
            continue
        outlook = Outlook(rules, played.owned, played.moments[-2], seat, weight)
        bystander = outlook.challenge()
        assert bystander is not None
        lucks.append(Luck(seat, outlook.known, bystander.value, result))
    return tuple(lucks)
