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
    """Return the shares of `seat` after a challenge, by count minus bid.

    The first entry is for a count of `owned[bidder]` below the bid, the last one for
    `owned[challenger]` above it; nobody loses more. Rulings B8, B9 (R, S, B).
    """
    of_seat = []
    for count in range(owned[bidder] + owned[challenger] + 1):
        lost = losses(rules, owned, bidder, challenger, owned[bidder], count)
        left = list(map(sub, owned, lost))
        of_seat.append(left[seat] / sum(left))
    return tuple(of_seat)


def expected(after: tuple[float, ...], first: int, counts: Counts) -> float:
    """Return the mean of `after`, which `shares` returned, over the counts of the unseen dice.

    `first`: the entry of `after` if none of them matches; beyond the ends, the nearest entry is
    used.
    """
    last = len(after) - 1
    total = 0.0
    for entry, chance in enumerate(counts, first):
        if entry < 0:
            total += chance * after[0]
        elif entry > last:
            total += chance * after[last]
        else:
            total += chance * after[entry]
    return total


def worth_of_challenge(view: SeatView, counts: Counts) -> float:
    """Return the own share to expect if the last bid is challenged.

    `counts`: the distribution of matching dice under the others' cups.
    """
    after = shares(view.rules, view.owned, view.bidder, view.seat, view.seat)
    known = matching("".join((view.cup, *view.shown)), FACE[view.bid])
    return expected(after, view.owned[view.bidder] + known - COUNT[view.bid], counts)


def worth_showing(view: SeatView, face: int) -> str:
    """Return the dice to lay out with a bid on `face`: all that match, if allowed and useful.

    The others get a second chance to match. Ruling B14 (R, S)."""
    if not view.rules.reroll:
        return ""
    show = "".join([die for die in view.cup if die in (FACES[face - 1], "*")])
    return show if len(show) < len(view.cup) else ""
