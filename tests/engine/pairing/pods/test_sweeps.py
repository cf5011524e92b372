"""Sweeps: swaps with neighbours take repeats away."""

import numpy as np

from engine.arrays import Ints
from engine.pairing.draw_input import Apart, DrawInput, Participant
from engine.pairing.pods.roster import roster_of
from engine.pairing.pods.sweeps import swept

ALIKE = np.zeros(3, np.int64)


def players(*scores: int) -> tuple[Participant, ...]:
    return tuple([Participant(f"p{i}", score) for i, score in enumerate(scores)])


def together(tables: Ints) -> list[list[int]]:
    return sorted(sorted(map(int, table)) for table in tables)


def test_those_with_nearly_the_same_points_come_together() -> None:
    roster = roster_of(DrawInput((2,), "x", players(5, 1, 3, 5, 1, 3)), 2)
    assert together(swept(np.arange(6).reshape(3, 2), ALIKE, roster)) == [[0, 3], [1, 4], [2, 5]]


def test_those_who_met_part_whatever_their_points() -> None:
    given = DrawInput(
        (2,), "x", players(9, 9, 1, 1, 0, 0), played=((("p0", "p1"), ("p2", "p3"), ("p4", "p5")),)
    )
    assert not {(0, 1), (2, 3), (4, 5)} & set(
        map(tuple, together(swept(np.arange(6).reshape(3, 2), ALIKE, roster_of(given, 2))))
    )


def test_who_must_stay_apart_does_before_anything_else() -> None:
    given = DrawInput((2,), "x", players(9, 9, 1, 1), apart=(Apart("p0", "p1", True),))
    assert [0, 1] not in together(swept(np.arange(4).reshape(2, 2), ALIKE[:2], roster_of(given, 2)))
