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

    `owned`: the dice of each seat before the bet. Rulings B8, B9: losses, the exact hit."""
    below = owned[bidder]
    above = owned[challenger]
    leads = []
    for count in range(below + above + 1):
        lost = losses(rules, owned, bidder, challenger, bid=below, count=count)
        leads.append(lead(lost, owned, seat))
    return Payoffs(below, tuple(leads))


def bet_value(pays: Payoffs, distribution: Counts, needed: int) -> float:
    """Return the expected lead in dice of a bet that holds if `needed` unseen dice match.

    `distribution`: the chance of each number of matching unseen dice.
    """
    values = _expected_leads(pays, distribution)
    index = needed - _lowest_need(pays)
    # Beyond both ends the lead stays the same.
    return values[min(max(index, 0), len(values) - 1)]


def best_bet(pays: Payoffs, distribution: Counts, lowest: int, highest: int) -> Best:
    """Return the best bet among those that need `lowest` to `highest` unseen dice; of equally good
    bets, the one that needs the fewest."""
    values = _expected_leads(pays, distribution)
    lowest_need = _lowest_need(pays)
    start = min(max(lowest - lowest_need, 0), len(values) - 1)
    stop = min(highest - lowest_need, len(values) - 1)
    best = max(range(start, max(start, stop) + 1), key=values.__getitem__)
    return Best(values[best], needed=lowest if best == start else lowest_need + best)


def _lowest_need(pays: Payoffs) -> int:
    """Return the lowest need that matters: with it, or a lower one, the challenger loses all dice
    whatever the unseen dice are."""
    return pays.below + 1 - len(pays.leads)


@lru_cache(maxsize=1 << 12)
def _expected_leads(pays: Payoffs, distribution: Counts) -> tuple[float, ...]:
    """Return the expected lead of a bet by the number of unseen dice that it needs.

    The first entry is for `_lowest_need`, the last one for the need from which the bidder loses all
    dice whatever the unseen dice are."""
    unseen = len(distribution) - 1
    # With a need of n and a count of x, the bet pays lead number x − n + below. So the leads for
    # each need are one slice of the leads, extended at both ends.
    leads = (pays.leads[0],) * unseen + pays.leads + (pays.leads[-1],) * unseen
    starts = range(len(leads) - len(distribution), -1, -1)
    return tuple([sum(map(mul, distribution, leads[start:])) for start in starts])
