"""Points and lists as the sentences of rankings write them."""

from collections.abc import Sequence
from fractions import Fraction

from engine.messages import Message, say


def written(points: Fraction) -> str:
    """Points as people write them: `12`, `9 1/3`, `1/2`, `-2 1/3`."""
    if points < 0:
        return f"-{written(-points)}"
    whole, rest = divmod(points.numerator, points.denominator)
    fraction = f"{rest}/{points.denominator}" if rest else ""
    return " ".join(filter(None, (str(whole) if whole or not rest else "", fraction)))


def counted(points: Fraction) -> Message:
    """Points with their word."""
    return say("1 point") if points == 1 else say("{points} points", points=written(points))


def listed(parts: Sequence[str]) -> str:
    """One after the other, as a sentence lists them; those that are messages stay translatable."""
    *all_but_last, last = parts
    if not all_but_last:
        return last
    joined = all_but_last[0]
    for part in all_but_last[1:]:
        joined = say("{list}, {next}", list=joined, next=part)
    return say("{list} and {last}", list=joined, last=last)
