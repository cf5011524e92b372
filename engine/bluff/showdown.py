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
    """Return for each seat the next clockwise that owns dice; the last one is its own next.
    Ruling B6 (R, S)."""
    return _clockwise(tuple(owned))


def losses(
    rules: Ruleset, owned: Sequence[int], bidder: int, challenger: int, bid: int, count: int
) -> tuple[int, ...]:
    """Return the dice lost by each seat, −1 for a die received, when `count` dice match a bid of
    `bid` dice.

    Rulings B8 (R, S) and B9 (R, S, B, N).
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
    lost = [0] * len(owned)
    if rules.exact in ("all", "protected"):
        protected = 1 if rules.exact == "protected" else 0
        lost = [1 if dice > protected else 0 for dice in owned]
        lost[bidder] = 0
    lost[challenger] = 1
    if rules.exact == "giveaway" and owned[bidder] < rules.dice:
        lost[bidder] = -1
    return tuple(lost)


def possible_winners(rules: Ruleset, owned: Sequence[int], lost: Sequence[int]) -> tuple[int, ...]:
    """Return the seats that may have won a bet of which only the losses are recorded.

    Empty if no bet can end so. `lost`: dice by seat, −1 for a die received.
    Rulings B8, B9, B10 (R, S, B)."""
    winners = set()
    for winner, dice_lost in _endings(rules, owned, lost):
        if dice_lost == tuple(lost):
            winners.add(winner)
    return tuple(sorted(winners))


def _endings(
    rules: Ruleset, owned: Sequence[int], lost: Sequence[int]
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield (winner, losses) of each kind of bet in which the loser loses as many dice as `lost`
    says."""
    after = clockwise(owned)
    for bidder, dice in enumerate(owned):
        challenger = after[bidder]
        if not dice or challenger == bidder:
            continue
        yield bidder, _losses_at_exact_hit(rules, owned, bidder, challenger)
        if lost[challenger] > 0:
            yield bidder, losses(rules, owned, bidder, challenger, 1, 1 + lost[challenger])
        if lost[bidder] > 0:
            yield challenger, losses(rules, owned, bidder, challenger, 1 + lost[bidder], 1)
