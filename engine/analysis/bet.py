"""The value of a bet in dice, from the ruleset's own showdown and the chances of each count.

The measure is the lead: the change of the seat's own dice, less the mean change of its live
opponents' dice. Own dice alone would not distinguish the rules for the exact hit, where others
lose; and Bluff is won by owning dice when the others own none. The leads of all seats add up to 0;
with two seats left a lead counts a die twice, once for the seat that gains and once for the seat
that loses.
"""

from collections.abc import Sequence
from functools import lru_cache
from operator import mul
from typing import NamedTuple

from engine.analysis.odds import Counts
from engine.bluff.ruleset import Ruleset
from engine.bluff.showdown import losses


class Payoffs(NamedTuple):
    """The lead in dice that a bet gives one seat, by count minus bid.

    Entry i of `leads` is for a difference of i − `below`. Beyond both ends the lead stays the same,
    as nobody loses more dice than they own (ruling B8).
    """

    below: int
    leads: tuple[float, ...]


class Best(NamedTuple):
    """The best of several bets on one face: its value in dice, and how many unseen dice it
    needs."""

    value: float
    needed: int


def lead(lost: Sequence[int], owned: Sequence[int], seat: int) -> float:
    """Return the lead of `seat` when the seats lose `lost` dice (−1: receive one) of those they
    `owned`.

    It is the mean of the dice lost by the other live seats, less those lost by the seat itself.
    """
    rivals = [dice for rival, dice in enumerate(lost) if owned[rival] and rival != seat]
    return sum(rivals) / len(rivals) - lost[seat]


@lru_cache(maxsize=1 << 12)
def payoffs(
    rules: Ruleset, owned: tuple[int, ...], bidder: int, challenger: int, seat: int
) -> Payoffs:
    """Return the payoffs for `seat` of a bet between `bidder` and `challenger`.

    `owned`: the dice of each seat before it. Rulings B8 (R, S), B9 (R, S, B, N)."""
    below = owned[bidder]
    above = owned[challenger]
    leads = []
    for count in range(below + above + 1):
        lost = losses(rules, owned, bidder, challenger, below, count)
        leads.append(lead(lost, owned, seat))
    return Payoffs(below, tuple(leads))


def bet_value(pays: Payoffs, distribution: Counts, needed: int) -> float:
    """Return the expected lead in dice of a bet that holds if `needed` unseen dice match.

    `distribution`: that of the matching unseen dice.
    """
    values = _values(pays, distribution)
    return values[min(max(needed - _first(pays), 0), len(values) - 1)]


def best_bet(pays: Payoffs, distribution: Counts, lowest: int, highest: int) -> Best:
    """Return the best bet among those that need `lowest` to `highest` unseen dice; of equals, the
    lowest."""
    values = _values(pays, distribution)
    first = _first(pays)
    start = min(max(lowest - first, 0), len(values) - 1)
    stop = min(highest - first, len(values) - 1)
    best = max(range(start, max(start, stop) + 1), key=values.__getitem__)
    return Best(values[best], lowest if best == start else first + best)


def _first(pays: Payoffs) -> int:
    """Return the need below which a bet is won by more than its loser owns, whatever the unseen
    dice."""
    return pays.below + 1 - len(pays.leads)


@lru_cache(maxsize=1 << 12)
def _values(pays: Payoffs, distribution: Counts) -> tuple[float, ...]:
    """Return expected leads by need.

    They start at `_first` and end with the need from which a bet loses all that its loser owns."""
    unseen = len(distribution) - 1
    # For a need of n the count x pays lead number x - n + below: one slice of the leads for each
    # need.
    leads = (pays.leads[0],) * unseen + pays.leads + (pays.leads[-1],) * unseen
    starts = range(len(leads) - len(distribution), -1, -1)
    return tuple([sum(map(mul, distribution, leads[start:])) for start in starts])
