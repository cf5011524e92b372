"""What bids tell of hidden dice."""

import pytest

from engine.players.belief import chance, spoken, under_cups
from engine.players.chance import MATCH
from tests.engine.players.views import view


def test_without_a_word_dice_are_dice() -> None:
    assert [chance(frozenset(), face) for face in range(1, 7)] == pytest.approx(MATCH[1:])


def test_a_bid_makes_its_face_likelier_and_the_others_rarer_stars_less_so() -> None:
    told = frozenset({4})
    assert chance(told, 4) > 1 / 2
    assert chance(told, 3) < 1 / 3
    assert chance(told, 6) > chance(told, 3) / 2
    assert chance(frozenset({6}), 6) == 1 / 2
    assert chance(frozenset({6}), 1) > chance(frozenset(), 1)


def test_each_seat_has_spoken_of_the_faces_it_bid_since_it_rerolled() -> None:
    said = ("0:1x2", "1:2x2", "0:2x4", "1:3x4/4", "0:4x*")
    assert spoken(view("12345", *said)) == [{2, 4, 6}, frozenset()]


def test_the_own_cup_and_that_of_the_next_seat_can_be_left_out() -> None:
    three = view("123", "0:1x2", "1:1x3", owned=(2, 4, 3), shown=("", "1", ""))
    told = spoken(three)
    assert len(under_cups(three, told, 2, but=2)) == 1 + 2 + 3
    assert len(under_cups(three, told, 2, but=0)) == 1 + 3
    assert len(under_cups(three, told, 2, but=0, rerolled=(2, 1 / 3))) == 1 + 3 + 2
    assert under_cups(three, told, 3, but=0)[0] == pytest.approx((1 - chance(frozenset({3}), 3)) ** 3)
