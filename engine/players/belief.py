"""What the others' bids tell of the dice under their cups."""

from functools import lru_cache
from typing import Final, TypeAlias

from engine.bluff.track import FACE, STAR
from engine.players.chance import Counts, together
from engine.players.player import View

Spoken: TypeAlias = frozenset[int]
"""The faces that a seat has bid since it last rolled its hidden dice; a second bid on a face tells nothing new."""

SPOKEN: Final = 5.0
"""How many times likelier a die under a cup shows a face that its seat bid than one that it didn't.

Found by play between players of 2 to 8: more wins a little at two seats and loses much at six.
"""
STARS: Final = 1.3
"""The same for a star, by each number face that its seat bid: stars help all of them. Found by play."""


def spoken(view: View) -> list[Spoken]:
    """What each seat has spoken of. Rerolled dice know nothing of the bids before. Ruling B14 (R, S)."""
    told: list[Spoken] = [frozenset()] * len(view.owned)
    for said in view.said:
        told[said.seat] = frozenset() if said.show else told[said.seat] | {FACE[said.bid]}
    return told


@lru_cache(maxsize=1 << 10)
def chance(told: Spoken, face: int) -> float:
    """The chance that a die under the cup of a seat that spoke of these faces matches `face`. Ruling B7 (R, S)."""
    weight = [SPOKEN if number in told else 1.0 for number in range(1, STAR + 1)]
    weight[-1] *= STARS ** len(told - {STAR})
    number = 0.0 if face == STAR else weight[face - 1]
    return (number + weight[-1]) / sum(weight)


def under_cups(
    view: View, told: list[Spoken], face: int, *, but: int, rerolled: tuple[int, float] = (0, 0.0)
) -> Counts:
    """How many dice match under the others' cups, the one of seat `but` excepted.

    `rerolled`: own dice to be rolled anew, and the chance of each.
    """
    groups = [
        (dice, chance(told[seat], face))
        for seat, dice in enumerate(view.hidden)
        if dice and seat not in (view.seat, but)
    ]
    return together((*groups, rerolled))
