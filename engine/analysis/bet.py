"""All that a bet is worth in dice, from the ruleset's own showdown and the chances of each count.

The measure is the lead: change of the seat's own dice, less the mean change of its live opponents'
dice. Own dice alone would not tell the rules for the exact hit apart, where others lose; and Bluff
is won by owning dice when the others own none. The leads of all seats add up to 0; with two seats
left a lead counts a die twice, once for who has it more and once for who has it less."""

from collections.abc import Sequence
from functools import lru_cache
from operator import mul
from typing import NamedTuple

from engine.analysis.odds import Counts
from engine.bluff.ruleset import Ruleset
from engine.bluff.showdown import losses


class Payoffs(NamedTuple):
    """The lead in dice that a bet brings one seat, by count minus bid.

    Entry i of `leads` is for a difference of i − `below`. Beyond both ends nothing changes any
    more, as nobody loses more dice than they own (ruling B8)."""

    below: int
    leads: tuple[float, ...]


class Best(NamedTuple):
    """The best of several bets on one face: its value in dice, and how many unseen dice it
    needs."""

    value: float
    needed: int


def lead(lost: Sequence[int], owned: Sequence[int], seat: int) -> float:
    """The lead that `seat` wins when the seats lose `lost` dice (−1: receive one) of those they
    `owned`.

    Mean of the dice lost by the other live seats, less those lost by the seat itself.
    """
    rivals = [dice for rival, dice in enumerate(lost) if owned[rival] and rival != seat]
    return sum(rivals) / len(rivals) - lost[seat]


@lru_cache(maxsize=1 << 12)
def payoffs(
    rules: Ruleset, owned: tuple[int, ...], bidder: int, challenger: int, seat: int
) -> Payoffs:
    """Return what a bet between `bidder` and `challenger` brings `seat`, at the dice `owned` before
    it.

    Rulings B8 (R, S), B9 (R, S, B, N).
    """
    below, above = owned[bidder], owned[challenger]
    ends = [
        losses(rules, owned, bidder, challenger, below, count) for count in range(below + above + 1)
    ]
    return Payoffs(below, tuple([lead(lost, owned, seat) for lost in ends]))


def bet_value(pays: Payoffs, distribution: Counts, needed: int) -> float:
    """Expected lead in dice of a bet that holds if `needed` unseen dice match, of which
    `distribution` tells."""
    values = _values(pays, distribution)
    return values[min(max(needed - _first(pays), 0), len(values) - 1)]


def best_bet(pays: Payoffs, distribution: Counts, lowest: int, highest: int) -> Best:
    """The best bet among those that need `lowest` to `highest` unseen dice; of equals, the
    lowest."""
    values, first = _values(pays, distribution), _first(pays)
    start = min(max(lowest - first, 0), len(values) - 1)
    stop = min(highest - first, len(values) - 1)
    best = max(range(start, max(start, stop) + 1), key=values.__getitem__)
    return Best(values[best], lowest if best == start else first + best)


def _first(pays: Payoffs) -> int:
    """The need below which a bet is won by more than its loser owns, whatever the unseen dice."""
    return pays.below + 1 - len(pays.leads)


@lru_cache(maxsize=1 << 12)
def _values(pays: Payoffs, distribution: Counts) -> tuple[float, ...]:
    """Expected leads by need, from `_first` to the need above which a bet is lost by all that its
    loser owns."""
    unseen = len(distribution) - 1
    # For a need of n the count x pays lead number x - n + below: one slice of the leads for each
    # need.
    leads = (pays.leads[0],) * unseen + pays.leads + (pays.leads[-1],) * unseen
    return tuple(
        [
            sum(map(mul, distribution, leads[start:]))
            for start in range(len(leads) - len(distribution), -1, -1)
        ]
    )
