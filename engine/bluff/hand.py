"""Dice as text: a hand is a string of faces `1` to `5` and `*`, written in that order."""

from functools import lru_cache

from engine.bluff.ruleset import DICE
from engine.bluff.track import FACES


@lru_cache(maxsize=1 << 14)
def _sorted(dice: str) -> str:
    return "".join([face * dice.count(face) for face in FACES])


def sort_hand(dice: str) -> str:
    """The same dice in face order, star last. `dice` holds faces only."""
    return _sorted(dice) if len(dice) < DICE.stop else _sorted.__wrapped__(dice)


def bad_face(dice: str) -> str | None:
    """The first character that is no face of a Bluff die, or None."""
    rest = dice.lstrip(FACES)
    return rest[0] if rest else None


def matching(dice: str, face: int) -> int:
    """Tell how many of the dice match a bid on `face` (1 to 5, or 6 for the star). Ruling B7 (R,
    S)."""
    stars = dice.count("*")
    return stars if face == 6 else dice.count(FACES[face - 1]) + stars


@lru_cache(maxsize=1 << 14)
def without(dice: str, part: str) -> str | None:
    """The dice that stay, in order, when `part` are taken away; None if some of those aren't
    there."""
    for face in part:
        if face not in dice:
            return None
        dice = dice.replace(face, "", 1)
    return dice


def highest_roll(hands: list[str]) -> tuple[int, ...]:
    """The seats with the highest sum, a star counting six; if there are several, those roll again.

    Ruling B15 (R, S).
    """
    sums = [sum(FACES.index(face) + 1 for face in hand) for hand in hands]
    return tuple(seat for seat, total in enumerate(sums) if total == max(sums))
