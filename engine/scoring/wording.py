"""Points and lists as the sentences of rankings write them."""

from collections.abc import Sequence
from fractions import Fraction

from engine.messages import Message, say


def written(points: Fraction) -> str:
    """Return points as people write them: `12`, `9 1/3`, `1/2`, `-2 1/3`."""
    if points < 0:
        return f"-{written(-points)}"
    whole, rest = divmod(points.numerator, points.denominator)
    if not rest:
        return str(whole)
    fraction = f"{rest}/{points.denominator}"
    return f"{whole} {fraction}" if whole else fraction


def counted(points: Fraction) -> Message:
    """Return points with their unit."""
    if points == 1:
        return say("1 point")
    return say("{points} points", points=written(points))


def listed(parts: Sequence[str]) -> str:
    """Return parts as a sentence lists them; parts that are messages stay translatable."""
    *all_but_last, last = parts
    if not all_but_last:
        return last
    joined = all_but_last[0]
    for part in all_but_last[1:]:
        joined = say("{list}, {next}", list=joined, next=part)
    return say("{list} and {last}", list=joined, last=last)
