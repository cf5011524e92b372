"""Positions of Lügen-Kniffel for tests: any that can be, or written as short as they can be
read."""

from random import Random

from hypothesis import strategies as st

from engine.kniffel.combinations import (
    ANNOUNCEABLE,
    COMBINATIONS,
    FACES,
    TRUTH,
    Announcement,
    Ruleset,
)
from engine.kniffel.sheet import Sheet
from engine.players.kniffel.view import TurnView

RULES = [Ruleset(truth, zero) for truth in TRUTH.values() for zero in (False, True)]


def sheet(**noted: int) -> Sheet:
    """A sheet with these points noted."""
    filled = Sheet()
    for combination, points in noted.items():
        filled[combination].note(points)
    return filled


def view(
    dice: str = "",
    *sheets: Sheet,
    rolls: int = 1,
    said: tuple[str, int] | None = None,
    rules: Ruleset = RULES[0],
) -> TurnView:
    """What the first seat sees: as roller `locked>fresh` dice, as listener what was announced."""
    locked, _, fresh = dice.rpartition(">")
    return TurnView(
        rules=rules,
        seat=0,
        playing=tuple(range(max(2, len(sheets)))),
        sheets=sheets or (Sheet(), Sheet()),
        rolls=rolls,
        locked=tuple(map(int, locked)),
        rolled=tuple(map(int, fresh)),
        announcement=None if said is None else Announcement(*said),
    )


def random_sheet(rng: Random) -> Sheet:
    """A sheet with any marks; at least one field is open."""
    marked = sheet()
    for combination in rng.sample(COMBINATIONS, rng.randrange(len(COMBINATIONS))):
        for _ in range(rng.randrange(3)):
            marked[combination].strike()
        if not marked[combination].filled and rng.random() < 0.7:
            marked[combination].note(rng.choice(sorted(ANNOUNCEABLE[combination])))
    return marked


def random_view(rng: Random) -> TurnView:
    """Anything that a roller or a listener can come to see."""
    seats, rolls = rng.randint(2, 8), rng.randint(1, 3)
    dice = rng.choices(FACES, k=5)
    locked = 0 if rolls == 1 else rng.randrange(5)
    seen = TurnView(
        rng.choice(RULES),
        rng.randrange(seats),
        tuple(range(seats)),
        [random_sheet(rng) for _ in range(seats)],
        rolls,
    )
    if rng.random() < 0.4:
        return seen._replace(
            announcement=rng.choice(seen._replace(seat=(seen.seat + 1) % seats).announcements)
        )
    return seen._replace(locked=tuple(sorted(dice[:locked])), rolled=tuple(sorted(dice[locked:])))


views = st.randoms(use_true_random=False).map(random_view)
