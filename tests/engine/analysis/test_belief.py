from math import exp, factorial, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.analysis.belief import UnseenCup, die_chances, support, tilted_chance, unseen
from engine.analysis.odds import Counts, binomial, convolve, counts, match_chance
from engine.bluff.hand import matching
from engine.bluff.track import FACES, STAR
from engine.record.bluff.compact import hands_of

faces = st.integers(1, STAR)
spoken_faces = st.lists(faces, max_size=4).map(tuple)
cups = st.lists(st.builds(UnseenCup, st.integers(0, 5), spoken_faces), max_size=5)


def hand_by_hand(cup: UnseenCup, face: int, weight: float) -> Counts:
    """The model as its docstring defines it: every hand weighed by what it does for the bids of its
    seat."""
    total = [0.0] * (cup.dice + 1)
    for hand in hands_of(cup.dice).texts:
        prior = factorial(cup.dice) / prod(factorial(hand.count(die)) for die in FACES)
        backing = sum(matching(hand, spoken) for spoken in cup.spoken)
        total[matching(hand, face)] += prior * exp(weight * backing)
    return tuple(chance / sum(total) for chance in total)


@given(cups, faces)
def test_with_weight_0_the_light_is_the_binomial_to_the_last_digit(
    hidden: list[UnseenCup], face: int
) -> None:
    dice = sum(cup.dice for cup in hidden)
    plain = binomial(dice, match_chance(face)) if dice else (1.0,)
    assert counts(unseen(hidden, face, 0)) == plain


@given(spoken_faces, faces, st.floats(0, 2))
def test_one_cup_is_the_sum_over_its_252_hands(
    spoken: tuple[int, ...], face: int, weight: float
) -> None:
    cup = UnseenCup(5, spoken)
    assert counts(unseen([cup], face, weight)) == pytest.approx(
        hand_by_hand(cup, face, weight), abs=1e-12
    )


@given(spoken_faces, spoken_faces, faces)
def test_two_cups_are_convolved(one: tuple[int, ...], other: tuple[int, ...], face: int) -> None:
    left, right = UnseenCup(3, one), UnseenCup(2, other)
    expected = convolve(hand_by_hand(left, face, 0.6), hand_by_hand(right, face, 0.6))
    assert counts(unseen([left, right], face, 0.6)) == pytest.approx(expected, abs=1e-12)


def test_a_star_backs_every_bid_and_a_number_only_its_own() -> None:
    assert [support(face, (4, 5, STAR)) for face in range(1, STAR + 1)] == [0, 0, 0, 1, 1, 3]


def test_what_a_number_bid_tells_of_stars_can_be_less_than_of_its_face() -> None:
    assert support(STAR, (4, 5, 5, STAR), 0.25) == 1.75
    one, *_, four, five, star = die_chances((4,), 1.0, 0.25)
    assert (four / one, star / one) == pytest.approx((exp(1), exp(0.25)))
    assert five == one


def test_a_bid_of_4s_makes_4s_and_stars_likelier_and_all_else_rarer() -> None:
    one, *_, four, five, star = die_chances((4,), 1.0)
    assert four == pytest.approx(star)
    assert one == pytest.approx(five)
    assert four / one == pytest.approx(exp(1))


def test_a_bid_of_stars_makes_number_bids_likelier_too() -> None:
    assert tilted_chance(2, (STAR,), 0.5) > match_chance(2)


def test_a_huge_weight_is_certainty_and_no_overflow() -> None:
    assert tilted_chance(4, (4,), 1e6) == 1
