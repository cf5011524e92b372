from fractions import Fraction
from itertools import product
from math import comb
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.analysis.odds import (
    at_least,
    bid_chance,
    binomial,
    convolve,
    counts,
    grouped,
    match_chance,
)
from engine.bluff.hand import matching
from engine.bluff.track import FACES, STAR


@pytest.mark.parametrize(("face", "part"), [(1, 3), (4, 3), (STAR, 6)])
@pytest.mark.parametrize("dice", [3, 12, 20, 30])
def test_the_hint_of_the_rules_the_average_is_dice_by_3_for_numbers_and_dice_by_6_for_stars(
    face: int, part: int, dice: int
) -> None:
    average = sum(x * chance for x, chance in enumerate(binomial(dice, match_chance(face))))
    assert average == pytest.approx(dice / part)


def test_one_of_two_unseen_dice_is_a_4_or_a_star_in_5_cases_of_9() -> None:
    assert bid_chance(1, face=4, count_seen=0, unseen=2) == pytest.approx(5 / 9)


def test_one_of_two_unseen_dice_is_a_star_in_11_cases_of_36() -> None:
    assert bid_chance(1, face=STAR, count_seen=0, unseen=2) == pytest.approx(11 / 36)


def test_dice_that_are_seen_make_a_bid_certain_and_dice_that_are_missing_make_it_impossible() -> (
    None
):
    assert bid_chance(3, face=2, count_seen=3, unseen=4) == 1
    assert bid_chance(3, face=2, count_seen=5, unseen=0) == 1
    assert bid_chance(6, face=2, count_seen=1, unseen=4) == 0


@pytest.mark.parametrize("face", [1, 5, STAR])
@pytest.mark.parametrize("dice", range(5))
def test_the_distribution_is_that_of_all_rolls_counted_out(face: int, dice: int) -> None:
    rolls = ["".join(roll) for roll in product(FACES, repeat=dice)]
    counted = [
        sum(matching(roll, face) == x for roll in rolls) / len(rolls) for x in range(dice + 1)
    ]
    assert binomial(dice, match_chance(face)) == pytest.approx(counted)


def test_thirty_dice_are_exact_to_the_last_digits() -> None:
    tail = sum(Fraction(comb(30, x) * 2 ** (30 - x), 3**30) for x in range(14, 31))
    assert bid_chance(14, face=3, count_seen=0, unseen=30) == pytest.approx(float(tail), rel=1e-12)


def test_rolled_dice_come_as_often_as_foretold() -> None:
    rng = Random(1993)
    games = 20_000
    held = sum(matching("".join(rng.choices(FACES, k=15)), 4) >= 5 for _ in range(games))
    chance = bid_chance(7, face=4, count_seen=2, unseen=15)
    spread = (chance * (1 - chance) / games) ** 0.5
    assert abs(held / games - chance) < 4 * spread


@given(st.integers(0, 8), st.integers(0, 8), st.floats(0, 1))
def test_two_groups_of_like_dice_are_one_group(one: int, other: int, chance: float) -> None:
    together = convolve(binomial(one, chance), binomial(other, chance))
    assert together == pytest.approx(binomial(one + other, chance), abs=1e-12)
    assert grouped([(chance, one), (chance, other)]) == (
        ((chance, one + other),) if one + other else ()
    )


def test_groups_of_different_dice_are_put_together() -> None:
    assert counts(()) == (1.0,)
    assert counts(((0.5, 1), (1.0, 1))) == pytest.approx((0, 0.5, 0.5))
    assert at_least(counts(((0.25, 1), (0.5, 1))), 1) == pytest.approx(1 - 0.75 * 0.5)
