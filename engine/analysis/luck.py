"""The luck of the dice, apart from what was done with them: what each roll was worth beyond the
mean of all rolls.

A roll is the deal of a round, or the dice that one seat rolls again (ruling B14). The luck of a
seat at a roll is

    v(dice) − E[v(dice)],    v = WORTH × (m − mean m of the others) / others,

where m is the best match of a seat's own dice (see `best_match`), `others` are the other seats that
own dice, and E is the exact mean over all rolls of fair dice. Everything but the dice is known
before they roll, and a roll counts whatever is done with it. So each term is expected to be 0,
however the seats play, and so is any sum of them. How much of the true luck the sum captures
depends on v alone: it is a fixed estimate, in dice of lead (see `bet`), of what a hand is worth in
its round. The luck of all seats adds up to 0 at each roll.

These are the terms for chance of AIVAT, a control variate for every chance event: N. Burch, M.
Schmid, M. Moravčík, D. Morrill, M. Bowling, AIVAT: A New Variance Reduction Technique for Agent
Evaluation in Imperfect Information Games, AAAI 2018. What AIVAT also does for decisions needs the
probabilities of the players' choices, which aren't known here.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import fsum, sqrt
from typing import Final, NamedTuple

from engine.analysis.best_match import after_roll, best_match
from engine.analysis.moment import ReplayedRound
from engine.analysis.outlook import PLACES
from engine.bluff.hand import sort_hand
from engine.bluff.move import CHALLENGE, LayOut
from engine.bluff.ruleset import Ruleset
from engine.interval import Z95
from engine.record.bluff.round import RoundRecord
from engine.record.shape import Json

WORTH: Final = 0.5
"""Dice of lead that one more die in the best match is worth in a duel; divided among opponents if
there are more.

Least squares over the leads of rounds give 0.63 for a simulated season and 0.51 for automatic
players of two kinds, and remove 7 and 5 per cent of their variance. Any other number would be as
unbiased and capture less luck.
"""
CANNOT_TELL: Final = (
    "A hand is valued by the most of its dice that one bid counts, against the hands of the "
    "others: dice that help otherwise, or were luck only because of what somebody bid, are not "
    "seen.",
    "A game of which not every roll is recorded has no luck, as which ones are may depend on their "
    "dice. Nor has one with rerolls whose hands are recorded when the cups went up: what was "
    "rolled away isn't.",
    "Of a round that was broken off at a real table no dice are recorded, and it is left out.",
)
"""The limits of the measure of luck."""


class Luck(NamedTuple):
    """The luck of one seat, at one roll or in sum, in dice of lead, and its variance with fair
    dice, in square dice."""

    luck: float
    variance: float

    @property
    def half(self) -> float:
        """Return how far from 0 the luck of fair dice stays in about 95 of 100 cases."""
        return Z95 * sqrt(self.variance)

    def as_json(self) -> dict[str, Json]:
        """Return the luck as a JSON object."""
        return {"luck": round(self.luck, PLACES), "variance": round(self.variance, PLACES)}


class RolledLuck(NamedTuple):
    """The luck of one roll. `move`, from 0, is the move that it belongs to, None for the deal.

    `seats`: the luck of each seat, None for one that is out.
    """

    move: int | None
    seats: tuple[Luck | None, ...]

    def as_json(self) -> dict[str, Json]:
        """Return the luck of the seats at this roll as a JSON object."""
        seats: list[Json] = [None if luck is None else luck.as_json() for luck in self.seats]
        return {"move": self.move, "seats": seats}


class Beyond(NamedTuple):
    """By how many dice a seat's best match exceeds its mean, and the variance of that number."""

    dice: float
    variance: float


NOTHING: Final = Beyond(0.0, 0.0)


def luck_per_roll(rolls: Iterable[RolledLuck], seat: int) -> list[Luck]:
    """Return the luck of `seat` at each of the rolls at which it owned dice."""
    luck_at_all_rolls = [rolled.seats[seat] for rolled in rolls]
    return [luck for luck in luck_at_all_rolls if luck is not None]


def total(parts: Sequence[Luck]) -> Luck:
    """Return the luck of several rolls together.

    Later rolls don't influence how a roll falls, so the variances add up.
    """
    return Luck(fsum([part.luck for part in parts]), fsum([part.variance for part in parts]))


def all_recorded(rules: Ruleset, rounds: Sequence[RoundRecord]) -> bool:
    """Return True if the rolled dice of every round with a showdown are recorded.

    Void rounds don't matter. Hands recorded when the cups went up are the hands that were rolled,
    unless rerolls were allowed (Ruling B14)."""
    levels = ("dealt",) if rules.reroll else ("dealt", "dice")
    for recorded in rounds:
        has_showdown = recorded.level == "result" or CHALLENGE in recorded.moves
        if has_showdown and not recorded.void and recorded.level not in levels:
            return False
    return True


def roll_luck(played: ReplayedRound) -> Iterator[RolledLuck]:
    """Yield the luck of the rolls of a round that records them, in order.

    Nothing if the round was broken off without its dice."""
    hands = played.record.hands
    if hands is None:
        return
    dealt = [_beyond("", hand) if hand else NOTHING for hand in hands]
    yield RolledLuck(None, _by_seat(dealt, played.owned))
    for number, moment in enumerate(played.moments):
        if isinstance(moment.move, LayOut) and moment.move.rolled is not None:
            kept_dice = sort_hand(moment.shown[moment.seat] + moment.move.show)
            rerolled = [NOTHING] * len(hands)
            rerolled[moment.seat] = _beyond(kept_dice, moment.move.rolled)
            yield RolledLuck(number, _by_seat(rerolled, played.owned))


def _beyond(kept_dice: str, rolled: str) -> Beyond:
    mean, variance = after_roll(kept_dice, len(rolled))
    return Beyond(best_match(kept_dice + rolled) - mean, variance)


def _by_seat(beyond: Sequence[Beyond], owned: Sequence[int]) -> tuple[Luck | None, ...]:
    """Return the luck of each seat, v − E[v] as above, with its variance; None for seats that are
    out.

    `beyond`: by how much each seat's best match exceeds its mean. The hands are independent, so
    variances add up."""
    rivals = len(owned) - owned.count(0) - 1
    share = WORTH / rivals
    share_of_rival = share / rivals
    all_dice = fsum([part.dice for part in beyond])
    all_variance = fsum([part.variance for part in beyond])
    by_seat: list[Luck | None] = []
    for own, dice_owned in zip(beyond, owned, strict=True):
        if not dice_owned:
            by_seat.append(None)
            continue
        rivals_dice = all_dice - own.dice
        rivals_variance = all_variance - own.variance
        by_seat.append(
            Luck(
                luck=share * own.dice - share_of_rival * rivals_dice,
                variance=share**2 * own.variance + share_of_rival**2 * rivals_variance,
            )
        )
    return tuple(by_seat)
