"""The player that weighs the others' hands by their bids."""

from math import exp
from random import Random

import pytest

from engine.analysis.belief import UnseenCup
from engine.bluff.move import CHALLENGE, LayOut, Move
from engine.bluff.track import BID, COUNT, FACE
from engine.players.by_belief import WEIGHT, ByBelief, Deliberation, cups_of, doubt
from engine.players.player import SeatView
from tests.engine.players.views import view


def moves(seen: SeatView, times: int = 60) -> set[Move]:
    return {ByBelief(Random(seed)).choose(seen) for seed in range(times)}


def test_a_challenge_is_worth_less_against_a_seat_that_spoke_of_that_face_alone() -> None:
    faithful = Deliberation(view("12345", "0:1x4", "1:2x2", "0:4x4")).challenge()
    fickle = Deliberation(view("12345", "0:1x2", "1:2x2", "0:4x4")).challenge()
    assert faithful < fickle


def test_it_challenges_what_can_not_be() -> None:
    assert moves(view("12345", "0:11x2")) == {CHALLENGE}
    assert moves(view("12345", "0:40x5")) == {CHALLENGE}


def test_it_never_challenges_what_its_own_dice_make_true() -> None:
    assert CHALLENGE not in moves(view("222**", "0:5x2"))


def test_it_bluffs_now_and_then_and_differently_by_seed() -> None:
    opening = view("12333")
    faces = [
        FACE[move]
        for seed in range(200)
        if isinstance(move := ByBelief(Random(seed)).choose(opening), int)
    ]
    assert 20 < sum(face not in (1, 2, 3) for face in faces) < 60


def test_the_same_seed_makes_the_same_moves() -> None:
    seen = view("12345", "0:2x2")
    assert [ByBelief(Random(7)).choose(seen) for _ in range(5)] == [
        ByBelief(Random(7)).choose(seen)
    ] * 5


def test_it_lays_out_what_matches_where_that_helps() -> None:
    assert LayOut(BID["5x5"], "5") in moves(view("44425", "0:4x5", reroll=True))
    assert all(isinstance(move, int) for move in moves(view("44425", "0:4x5")))


def test_it_considers_no_raise_far_above_what_the_dice_can_hold_but_one_on_each_face() -> None:
    candidates = list(Deliberation(view("12345")).raises())
    assert max(COUNT[candidate.move] for candidate in candidates) == 6
    late = list(Deliberation(view("12345", "0:12x5")).raises())
    assert {FACE[candidate.move] for candidate in late} == set(range(1, 7))
    assert [candidate.move for candidate in Deliberation(view("12345", "0:40x4")).raises()] == [
        BID["40x5"]
    ]


def test_each_seat_has_spoken_of_the_faces_it_bid_on_since_it_rerolled() -> None:
    bids = ("0:1x2", "1:2x2", "0:2x4", "1:3x4/4", "0:4x2", "0:4x*")
    assert cups_of(view("12345", *bids, shown=("", "4"))) == [
        UnseenCup(5, (2, 4, 6)),
        UnseenCup(4, ()),
    ]


def test_a_spoken_face_is_five_times_as_likely_and_the_star_a_third_more() -> None:
    turn = Deliberation(view("1", "0:1x3", owned=(1, 1)))
    plain, spoken = 1 / (4 + 5 + 1.3), (5 + 1.3) / (4 + 5 + 1.3)
    assert exp(WEIGHT) == pytest.approx(5)
    assert turn.under_next_cup(3) == pytest.approx((1 - spoken, spoken))
    assert turn.under_next_cup(2)[1] == pytest.approx(plain + 1.3 * plain)


def test_the_own_cup_and_that_of_the_next_seat_can_be_left_out() -> None:
    turn = Deliberation(view("123", "0:1x2", "1:1x3", owned=(2, 4, 3), shown=("", "1", "")))
    assert len(turn.under_cups(2, but=2)) == 1 + 2 + 3
    assert len(turn.under_cups(2, but=0)) == 1 + 3
    assert len(turn.under_cups(2, but=0, rerolled=2)) == 1 + 3 + 2


def test_a_bid_is_doubted_the_more_the_less_likely_it_is() -> None:
    assert doubt(0.45) == pytest.approx(0.5)
    assert doubt(0) > 0.99 > 0.01 > doubt(1)
