"""Hoch die Becher: the dice lost at a showdown, and the next opener."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from engine.bluff.ruleset import Ruleset


@lru_cache(maxsize=1 << 14)
def _clockwise(owned: tuple[int, ...]) -> tuple[int, ...]:
    seats = len(owned)
    after = []
    for seat in range(seats):
        others = [(seat + step) % seats for step in range(1, seats + 1)]
        after.append(next((other for other in others if owned[other]), seat))
    return tuple(after)


def clockwise(owned: Sequence[int]) -> tuple[int, ...]:
    """Return for each seat the next seat clockwise that owns dice; a seat that alone owns dice is
    its own next seat."""
    return _clockwise(tuple(owned))


def losses(
    rules: Ruleset, owned: Sequence[int], bidder: int, challenger: int, bid: int, count: int
) -> tuple[int, ...]:
    """Return the dice lost by each seat, −1 for a die received, when `count` dice match a bid of
    `bid` dice.

    Ruling B8: the bidder or the challenger loses the difference. Ruling B9: the exact hit.
    """
    if count == bid:
        return _losses_at_exact_hit(rules, owned, bidder, challenger)
    lost = [0] * len(owned)
    loser = challenger if count > bid else bidder
    lost[loser] = min(abs(count - bid), owned[loser])
    return tuple(lost)


def _losses_at_exact_hit(
    rules: Ruleset, owned: Sequence[int], bidder: int, challenger: int
) -> tuple[int, ...]:
    """Return the dice lost by each seat, −1 for a die received, if the count equals the bid (Ruling
    B9)."""
    lost = [0] * len(owned)
    if rules.exact in ("all", "protected"):
        dice_kept = 1 if rules.exact == "protected" else 0
        lost = [1 if dice > dice_kept else 0 for dice in owned]
        lost[bidder] = 0
    lost[challenger] = 1
    if rules.exact == "giveaway" and owned[bidder] < rules.dice:
        lost[bidder] = -1
    return tuple(lost)


def possible_winners(rules: Ruleset, owned: Sequence[int], lost: Sequence[int]) -> tuple[int, ...]:
    """Return the seats that may have won a bet of which only the losses are recorded.

    Empty if no bet can end with these losses. `lost`: dice by seat, −1 for a die received."""
    winners = set()
    for winner, dice_lost in _endings(rules, owned, lost):
        if dice_lost == tuple(lost):
            winners.add(winner)
    return tuple(sorted(winners))


def _endings(
    rules: Ruleset, owned: Sequence[int], lost: Sequence[int]
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield (winner, losses) of the bets that can end with these losses, for each seat that may
    have been the bidder: at an exact hit, won by the bidder, won by the challenger."""
    after = clockwise(owned)
    for bidder, dice in enumerate(owned):
        challenger = after[bidder]
        if not dice or challenger == bidder:
            continue
        yield bidder, _losses_at_exact_hit(rules, owned, bidder, challenger)
        if lost[challenger] > 0:
            count = 1 + lost[challenger]
            yield bidder, losses(rules, owned, bidder, challenger, bid=1, count=count)
        if lost[bidder] > 0:
            bid = 1 + lost[bidder]
            yield challenger, losses(rules, owned, bidder, challenger, bid=bid, count=1)
