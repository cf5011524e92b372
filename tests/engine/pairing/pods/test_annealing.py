"""Annealing: the plans stay whole, their counts stay true, and the same lots make the same
plans."""

import numpy as np

from engine.arrays import Ints
from engine.pairing.draw_input import DrawInput, Participant
from engine.pairing.pods.annealing import Plans, places
from engine.pairing.pods.roster import OUT, SHORT, pairs_of

SIZES = (4, 4, 3)
PLAYED = ((("p0", "p1", "p2", "p3"), ("p4", "p5", "p6", "p7"), ("p8", "p9", "p10")),)


def plans(seed: int = 1) -> Plans:
    given = DrawInput((4, 3), "x", tuple([Participant(f"p{i}", i) for i in range(12)]), 4, PLAYED)
    first = np.tile(np.arange(12), (3, 1))
    made = Plans(places(SIZES, 1, 4), first, 3, pairs_of(given), np.zeros((3, 13), np.int64), seed)
    made.anneal(512, 0.4, 0.1)
    return made


def counted_again(plan: Ints) -> int:
    """The meetings again of one plan after what was played, counted table by table."""
    met = pairs_of(
        DrawInput((4,), "x", tuple([Participant(f"p{i}") for i in range(12)]), None, PLAYED)
    ).met
    again = 0
    for row in plan:
        for table in (row[:4], row[4:8], row[8:11]):
            again += int(met[np.ix_(table, table)].sum()) // 2
            met[np.ix_(table, table)] += 1 - np.eye(len(table), dtype=np.int64)
    return again


def test_every_player_has_one_place_in_each_round_of_each_plan() -> None:
    assert (np.sort(plans().seated, axis=2) == np.arange(13)).all()


def test_plans_know_their_meetings_again() -> None:
    made = plans()
    assert made.again().tolist() == [counted_again(plan) for plan in made.seated]


def test_plans_know_who_sat_short_and_who_sat_out() -> None:
    made = plans()
    for chain, plan in enumerate(made.seated):
        assert (
            made.turns[chain, SHORT].tolist()
            == np.bincount(plan[:, 8:11].ravel(), minlength=13).tolist()
        )
        assert made.turns[chain, OUT].tolist() == np.bincount(plan[:, 11], minlength=13).tolist()


def test_the_same_seed_makes_the_same_plans() -> None:
    assert (plans().seated == plans().seated).all()
    assert (plans(2).seated != plans().seated).any()
