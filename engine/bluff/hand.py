"""Dice as text: a hand is a string of faces `1` to `5` and `*`, written in that order."""

from functools import lru_cache

from engine.bluff.ruleset import DICE
from engine.bluff.track import FACES


@lru_cache(maxsize=1 << 14)
def _sorted(dice: str) -> str:
    return "".join([face * dice.count(face) for face in FACES])


def sort_hand(dice: str) -> str:
    """Return the same dice in face order, star last. `dice` must hold only faces."""
    if len(dice) < DICE.stop:
        return _sorted(dice)
    return _sorted.__wrapped__(dice)  # too long to be worth a place in the cache


def bad_face(dice: str) -> str | None:
    """Return the first character that is no face of a Bluff die, or None."""
    rest = dice.lstrip(FACES)
    return rest[0] if rest else None


def matching(dice: str, face: int) -> int:
    """Return how many of the dice match a bid on `face` (1 to 5, or 6 for the star).

    Ruling B7: stars count as any number."""
    stars = dice.count("*")
    if face == 6:
        return stars
    return dice.count(FACES[face - 1]) + stars


@lru_cache(maxsize=1 << 14)
def without(dice: str, part: str) -> str | None:
    """Return the dice that are left, in order, after the dice `part` are removed; None if `dice`
    lacks some of them."""
    for face in part:
        if face not in dice:
            return None
        dice = dice.replace(face, "", 1)
    return dice


def highest_roll(hands: list[str]) -> tuple[int, ...]:
    """Return the seats with the highest sum, a star counting six: the seat that opens (Ruling B15),
    or several seats that roll again."""
    sums = [sum(FACES.index(face) + 1 for face in hand) for hand in hands]
    return tuple(seat for seat, total in enumerate(sums) if total == max(sums))
