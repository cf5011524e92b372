"""The player by beliefs."""

from random import Random

import pytest

from engine.bluff.move import CHALLENGE, LayOut, Move
from engine.bluff.track import BID, COUNT, FACE
from engine.players.by_belief import ByBelief, Judgement, doubt
from engine.players.player import View
from tests.engine.players.views import view


def moves(seen: View, times: int = 60) -> set[Move]:
    return {ByBelief(Random(seed)).choose(seen) for seed in range(times)}


def test_a_challenge_is_worth_less_against_a_seat_that_spoke_of_that_face_alone() -> None:
    faithful = Judgement(view("12345", "0:1x4", "1:2x2", "0:4x4")).challenge()
    fickle = Judgement(view("12345", "0:1x2", "1:2x2", "0:4x4")).challenge()
    assert faithful < fickle


def test_it_challenges_what_can_not_be() -> None:
    assert moves(view("12345", "0:11x2")) == {CHALLENGE}
    assert moves(view("12345", "0:40x5")) == {CHALLENGE}


def test_it_never_challenges_what_its_own_dice_make_true() -> None:
    assert CHALLENGE not in moves(view("222**", "0:5x2"))


def test_it_bluffs_now_and_then_and_differently_by_seed() -> None:
    opening = view("12333")
    faces = [FACE[move] for seed in range(200) if isinstance(move := ByBelief(Random(seed)).choose(opening), int)]
    assert 20 < sum(face not in (1, 2, 3) for face in faces) < 60


def test_the_same_seed_makes_the_same_moves() -> None:
    seen = view("12345", "0:2x2")
    assert [ByBelief(Random(7)).choose(seen) for _ in range(5)] == [ByBelief(Random(7)).choose(seen)] * 5


def test_it_lays_out_what_matches_where_that_helps() -> None:
    assert LayOut(BID["5x5"], "5") in moves(view("44425", "0:4x5", reroll=True))
    assert all(isinstance(move, int) for move in moves(view("44425", "0:4x5")))


def test_it_considers_no_raise_far_above_what_the_dice_can_hold_but_one_on_each_face() -> None:
    options = list(Judgement(view("12345")).raises())
    assert max(COUNT[option.move] for option in options) == 6
    late = list(Judgement(view("12345", "0:12x5")).raises())
    assert {FACE[option.move] for option in late} == set(range(1, 7))
    assert [option.move for option in Judgement(view("12345", "0:40x4")).raises()] == [BID["40x5"]]


def test_a_bid_is_doubted_the_more_the_less_likely_it_is() -> None:
    assert doubt(0.45) == pytest.approx(0.5)
    assert doubt(0) > 0.99 > 0.01 > doubt(1)
