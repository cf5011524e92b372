"""All that a challenge is worth: the share of all dice that a seat then owns.

The share stands for the chance to win the game: 0 for a seat that is out, 1 for the last one, and
among equals the same for everybody."""

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
    """The share of `seat` after a challenge, for a count from `owned[bidder]` below the bid
    upwards.

    The last entry is for `owned[challenger]` above it; nobody loses more. Rulings B8, B9 (R, S, B).
    """
    of_seat = []
    for count in range(owned[bidder] + owned[challenger] + 1):
        left = list(map(sub, owned, losses(rules, owned, bidder, challenger, owned[bidder], count)))
        of_seat.append(left[seat] / sum(left))
    return tuple(of_seat)


def expected(after: tuple[float, ...], first: int, counts: Counts) -> float:
    """The mean of `after` = `shares(…)` over the counts of the unseen dice.

    `first`: the entry of `after` if none of them matches; outside of it the nearest entry holds.
    """
    last = len(after) - 1
    total = 0.0
    for entry, chance in enumerate(counts, first):
        total += chance * after[0 if entry < 0 else last if entry > last else entry]
    return total


def worth_of_challenge(view: SeatView, counts: Counts) -> float:
    """The own share to expect if the last bid is challenged; `counts`: of the dice under the
    others' cups."""
    after = shares(view.rules, view.owned, view.bidder, view.seat, view.seat)
    known = matching("".join((view.cup, *view.shown)), FACE[view.bid])
    return expected(after, view.owned[view.bidder] + known - COUNT[view.bid], counts)


def worth_showing(view: SeatView, face: int) -> str:
    """The dice to lay out with a bid on `face`: all that match; none if that isn't allowed or no
    use.

    The others get a second chance to match. Ruling B14 (R, S).
    """
    show = "".join([die for die in view.cup if die in (FACES[face - 1], "*")])
    return show if view.rules.reroll and len(show) < len(view.cup) else ""
