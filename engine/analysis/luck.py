"""Luck of the dice, apart from all that was done with them: what each roll was worth beyond the
mean of all rolls.

A roll is the deal of a round, or the dice that one seat rolls again (ruling B14). Luck of a seat at
a roll is

    v(dice) − E[v(dice)],    v = WORTH × (m − mean m of the others) / others,

where m is the best match of a seat's own dice (see `best_match`), `others` are the other seats that
own dice, and E is the exact mean over all rolls of fair dice. Everything but the dice is known
before they roll, and a roll counts whatever becomes of it. So each term is expected to be 0 whoever
plays how, and so is any sum of them. How much of the true luck the sum catches depends on v alone:
it is a fixed estimate, in dice of lead (see `bet`), of what a hand is worth in its round. The luck
of all seats adds up to 0 at each roll.

These are the terms for chance of AIVAT, a control variate for every chance event: N. Burch, M.
Schmid, M. Moravčík, D. Morrill, M. Bowling, AIVAT: A New Variance Reduction Technique for Agent
Evaluation in Imperfect Information Games, AAAI 2018. What AIVAT also does for decisions needs the
chances with which players choose, which nobody knows here."""

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
"""Dice of lead that one more die in the best match is worth in a duel; shared out where there are
more opponents.

Least squares over the lead that rounds brought give 0.63 for a simulated season and 0.51 for
automatic players of two kinds, and take off 7 and 5 per cent of its variance. Any other number
would be as unbiased and catch less luck. """
CANNOT_TELL: Final = (
    "A hand is valued by the most of its dice that one bid counts, against the hands of the "
    "others: dice that help "
    "otherwise, or were luck only because of what somebody bid, are not seen.",
    "A game of which not every roll is recorded has no luck, as which ones are may depend on "
    "their dice. Nor "
    "has one with rerolls whose hands are recorded when the cups went up: what was rolled away "
    "isn't.",
    "Of a round that was broken off at a real table no dice are recorded, and it is left out.",
)
"""What the measure of luck can't tell."""


class Luck(NamedTuple):
    """The luck of one seat, at one roll or in sum, in dice of lead, and its variance with fair
    dice, in square dice."""

    luck: float
    variance: float

    @property
    def half(self) -> float:
        """Return what fair dice stay within, above and below 0, in about 95 of 100 cases."""
        return Z95 * sqrt(self.variance)

    def as_json(self) -> dict[str, Json]:
        """The luck as a JSON object."""
        return {"luck": round(self.luck, PLACES), "variance": round(self.variance, PLACES)}


class RolledLuck(NamedTuple):
    """All that one roll brought: `move`, from 0, is the one that it belongs to, None for the deal.

    `seats`: the luck of each seat, None for one that is out.
    """

    move: int | None
    seats: tuple[Luck | None, ...]

    def as_json(self) -> dict[str, Json]:
        """The luck of the seats at this roll as a JSON object."""
        return {"move": self.move, "seats": [luck and luck.as_json() for luck in self.seats]}


class Beyond(NamedTuple):
    """By how many dice a seat's best match is beyond its mean, and the variance of that."""

    dice: float
    variance: float


NOTHING: Final = Beyond(0.0, 0.0)


def lucks(rolls: Iterable[RolledLuck], seat: int) -> list[Luck]:
    """The luck of `seat` at each of the rolls at which it owned dice."""
    return [luck for rolled in rolls if (luck := rolled.seats[seat]) is not None]


def total(parts: Sequence[Luck]) -> Luck:
    """The luck of several rolls together. What comes after a roll can't tell how it falls, so the
    variances add up."""
    return Luck(fsum([part.luck for part in parts]), fsum([part.variance for part in parts]))


def all_recorded(rules: Ruleset, rounds: Sequence[RoundRecord]) -> bool:
    """True if of every round that came to a showdown the dice are recorded as they were rolled.

    Hands recorded when the cups went up are those that were rolled, unless they could be rolled
    again. Ruling B14."""
    levels = ("dealt",) if rules.reroll else ("dealt", "dice")
    settled = [
        unit
        for unit in rounds
        if not unit.void and (unit.level == "result" or CHALLENGE in unit.moves)
    ]
    return all(unit.level in levels for unit in settled)


def roll_luck(played: ReplayedRound) -> Iterator[RolledLuck]:
    """The luck of the rolls of one round that records them, in order; none where it was broken off
    without its dice."""
    hands = played.record.hands
    if hands is None:
        return
    yield RolledLuck(
        None, _by_seat([_beyond("", hand) if hand else NOTHING for hand in hands], played.owned)
    )
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
    """v − E[v] and its variance for each seat; the hands are independent. None for who is out."""
    rivals = len(owned) - owned.count(0) - 1
    share = WORTH / rivals
    of_other = share / rivals
    dice, variance = fsum([part.dice for part in beyond]), fsum([part.variance for part in beyond])
    return tuple(
        [
            Luck(
                share * mine.dice - of_other * (dice - mine.dice),
                share**2 * mine.variance + of_other**2 * (variance - mine.variance),
            )
            if cup
            else None
            for mine, cup in zip(beyond, owned, strict=True)
        ]
    )
