"""The worth of a challenge: the share of all dice that a seat owns after it.

The share stands for the chance to win the game: 0 for a seat that is out, 1 for the last one, and
the same for all if they are equal.
"""

from functools import lru_cache
from operator import sub

from engine.analysis.odds import Counts
from engine.bluff.hand import matching
from engine.bluff.ruleset import Ruleset
from engine.bluff.showdown import losses
from engine.bluff.track import COUNT, FACE, FACES
from engine.players.player import SeatView


@lru_cache(maxsize=1 << 14)
def shares(
    rules: Ruleset, owned: tuple[int, ...], bidder: int, challenger: int, seat: int
) -> tuple[float, ...]:
    """Return the share of all dice that `seat` owns after a challenge, by count minus bid.

    The first entry is for a count that is `owned[bidder]` below the bid, the last one for a count
    that is `owned[challenger]` above it: by Ruling B8 nobody loses more dice than they own.
    """
    shares_of_seat = []
    for count in range(owned[bidder] + owned[challenger] + 1):
        lost = losses(rules, owned, bidder, challenger, bid=owned[bidder], count=count)
        left = list(map(sub, owned, lost))
        shares_of_seat.append(left[seat] / sum(left))
    return tuple(shares_of_seat)


def expected(shares_after: tuple[float, ...], lowest: int, chances: Counts) -> float:
    """Return the mean share after a challenge, over the possible numbers of matching unseen dice.

    `shares_after`: what `shares` returns. `lowest`: the index of its entry that is right if no
    unseen die matches; each matching die leads to the next entry. If there is no such entry, the
    first or the last one is used. `chances`: the chance of each number of matching unseen dice.
    """
    last = len(shares_after) - 1
    mean = 0.0
    for index, chance in enumerate(chances, lowest):
        if index < 0:
            mean += chance * shares_after[0]
        elif index > last:
            mean += chance * shares_after[last]
        else:
            mean += chance * shares_after[index]
    return mean


def worth_of_challenge(view: SeatView, chances: Counts) -> float:
    """Return the seat's share of all dice to expect if it challenges the last bid.

    `chances`: the chance of each number of matching dice under the others' cups.
    """
    shares_after = shares(
        view.rules, view.owned, bidder=view.bidder, challenger=view.seat, seat=view.seat
    )
    seen_matches = matching("".join((view.cup, *view.shown)), FACE[view.bid])
    lowest = view.owned[view.bidder] + seen_matches - COUNT[view.bid]
    return expected(shares_after, lowest, chances)


def worth_showing(view: SeatView, face: int) -> str:
    """Return the dice to lay out with a bid on `face`: all that match, if the others can be rolled
    again (Ruling B14) and so get a second chance to match; else none."""
    if not view.rules.reroll:
        return ""
    show = "".join([die for die in view.cup if die in (FACES[face - 1], "*")])
    # At least one die must be rolled again.
    return show if len(show) < len(view.cup) else ""
