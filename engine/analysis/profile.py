"""A player's style over many games of Bluff, as tallies that add up in any order.

Only decisions with a recorded hand are counted, and luck only in games that record every roll. Dice
are kept in whole millionths, so that sums don't depend on their order.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import add, sub
from typing import Final, TypeAlias

from engine.analysis.decisions import Decision
from engine.analysis.game import Analysis, RoundAnalysis
from engine.analysis.luck import Luck, luck_per_roll, total
from engine.analysis.varint import read_varints, unzigzag, varint, zigzag
from engine.record.shape import Json

MICRO: Final = 1_000_000
"""Parts of a die, or of certainty, in which sums are kept."""
BINS: Final = 10
"""Bins of stated chance in the calibration of challenges: 0 to 10 %, … 90 to 100 %."""
BLUFF_BELOW: Final = 0.5
"""A bid is a bluff if its chance, as the bidder sees it, is lower."""

Bins: TypeAlias = tuple[int, ...]
NO_BINS: Final[Bins] = (0,) * BINS
COUNTS: Final = 11
"""How many sums of a style aren't by bin."""
FIGURES: Final = COUNTS + 3 * BINS


@dataclass(frozen=True, slots=True)
class Style:
    """A player's style in some games; `Style()` is that of no game. Styles can be added and
    subtracted.

    `bids`: bids made. `bluffs`: those whose chance to hold was below ½ as the bidder saw it.
    `unsupported`: those that none of the bidder's dice matched. `stood`, `lucky`, `caught`: bluffs
    that the next seat raised; that were challenged and held; that were challenged and didn't.
    `decisions`, `cost`: decisions with a cost, and its sum in micro-dice. `rolls`, `luck`,
    `luck_variance`: rolls that count for luck, its sum in micro-dice, and the variance of that sum
    in millionths of a square die. By bin of the chance that the challenge was right, as the
    challenger could know it: `challenges`; `stated`, the sum of these chances in millionths;
    `right`, those in which the bid did not hold.
    """

    bids: int = 0
    bluffs: int = 0
    unsupported: int = 0
    stood: int = 0
    lucky: int = 0
    caught: int = 0
    decisions: int = 0
    cost: int = 0
    rolls: int = 0
    luck: int = 0
    luck_variance: int = 0
    challenges: Bins = NO_BINS
    stated: Bins = NO_BINS
    right: Bins = NO_BINS

    @classmethod
    def of(cls, analysis: Analysis, seat: int) -> "Style":
        """Return the style of the player at `seat` in one game."""
        style = _of_luck(analysis, seat)
        for played in analysis.rounds:
            style = sum(_of_round(played, seat), start=style)
        return style

    def __add__(self, addend: "Style") -> "Style":
        return _of_figures(tuple(map(add, self.figures, addend.figures)))

    def __sub__(self, subtrahend: "Style") -> "Style":
        """Return the style without some of its games: (a + b) − b is a."""
        return _of_figures(tuple(map(sub, self.figures, subtrahend.figures)))

    @property
    def figures(self) -> tuple[int, ...]:
        """Return all sums in the order of the fields, those by bin one after the other."""
        return (
            self.bids,
            self.bluffs,
            self.unsupported,
            self.stood,
            self.lucky,
            self.caught,
            self.decisions,
            self.cost,
            self.rolls,
            self.luck,
            self.luck_variance,
            *self.challenges,
            *self.stated,
            *self.right,
        )

    @property
    def bluff_rate(self) -> float | None:
        """Return the share of bids that were bluffs, 0 to 1; None without bids."""
        if not self.bids:
            return None
        return self.bluffs / self.bids

    @property
    def bluff_success(self) -> float | None:
        """Return the share of answered bluffs that weren't caught, 0 to 1; None without any."""
        answered = self.stood + self.lucky + self.caught
        if not answered:
            return None
        return 1 - self.caught / answered

    @property
    def luck_half(self) -> float:
        """Return how far from 0, in dice, the luck of fair dice stays in about 95 of 100 cases."""
        return Luck(self.luck / MICRO, self.luck_variance / MICRO).half

    def as_json(self) -> dict[str, Json]:
        """Return the figures as a JSON object: chances from 0 to 1, cost and luck in dice.

        The chances of a bin without cases are null."""
        bins: list[Json] = []
        for number, stated, right in zip(self.challenges, self.stated, self.right, strict=True):
            bins.append(
                {
                    "challenges": number,
                    "stated": stated / number / MICRO if number else None,
                    "came": right / number if number else None,
                }
            )
        return {
            "bids": self.bids,
            "bluff_rate": self.bluff_rate,
            "bluff_success": self.bluff_success,
            "unsupported": self.unsupported,
            "decisions": self.decisions,
            "cost": self.cost / MICRO,
            "rolls": self.rolls,
            "luck": self.luck / MICRO,
            "luck_half": self.luck_half,
            "calibration": bins,
        }


def pack_styles(styles: Iterable[Style]) -> bytes:
    """Return the styles of a game's seats, packed: some twenty bytes a seat, one byte for an empty
    `Style()`.

    The bytes are varints: for each seat a number with a bit for each sum that isn't zero, then
    these sums, zig-zag because they have signs.
    """
    numbers: list[int] = []
    for style in styles:
        numbers.append(sum(1 << place for place, figure in enumerate(style.figures) if figure))
        numbers += [zigzag(figure) for figure in style.figures if figure]
    return b"".join(map(varint, numbers))


def unpack_styles(packed: bytes) -> list[Style]:
    """Return the styles that `pack_styles` wrote. Raise ValueError for other bytes."""
    numbers = read_varints(packed)
    styles = []
    for present in numbers:
        figures = [0] * FIGURES
        for place in range(FIGURES):
            if present >> place & 1:
                figures[place] = unzigzag(next(numbers, 0))
        styles.append(_of_figures(tuple(figures)))
    if pack_styles(styles) != packed:
        raise ValueError("these bytes are no packed styles")
    return styles


def _of_figures(figures: tuple[int, ...]) -> Style:
    bins = [figures[start : start + BINS] for start in range(COUNTS, FIGURES, BINS)]
    # Eleven numbers, then three tuples.
    return Style(*figures[:COUNTS], *bins)  # type: ignore[arg-type]


def _of_luck(analysis: Analysis, seat: int) -> Style:
    parts = luck_per_roll(analysis.rolls(), seat)
    luck, variance = total(parts)
    return Style(rolls=len(parts), luck=round(luck * MICRO), luck_variance=round(variance * MICRO))


def _of_round(played: RoundAnalysis, seat: int) -> Iterator[Style]:
    """Yield the styles that add up to that of the player at `seat`."""
    # The answer to a bid is the decision after it.
    answers: Sequence[Decision | None] = (*played.decisions[1:], None)
    for decision, answer in zip(played.decisions, answers, strict=False):
        if decision.seat == seat and decision.cost is not None:
            yield _of_challenge(decision) if decision.challenged else _of_bid(decision, answer)
            yield Style(decisions=1, cost=round(decision.cost * MICRO))


def _of_bid(decision: Decision, answer: Decision | None) -> Style:
    bid = Style(bids=1, unsupported=int(decision.supported is False))
    if decision.made.chance >= BLUFF_BELOW:
        return bid
    challenged = answer is not None and answer.challenged
    return bid + Style(
        bluffs=1,
        stood=int(answer is not None and not challenged),
        lucky=int(challenged and decision.held is True),
        caught=int(challenged and decision.held is False),
    )


def _of_challenge(decision: Decision) -> Style:
    stated = 1 - decision.made.chance
    bin_number = min(int(stated * BINS), BINS - 1)
    return Style(
        challenges=_in_bin(bin_number, 1),
        stated=_in_bin(bin_number, round(stated * MICRO)),
        right=_in_bin(bin_number, int(decision.held is False)),
    )


def _in_bin(bin_number: int, sum_of_bin: int) -> Bins:
    return tuple([sum_of_bin if number == bin_number else 0 for number in range(BINS)])
