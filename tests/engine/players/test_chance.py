"""Binomial odds against plain enumeration."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.bluff.hand import matching
from engine.players.chance import MATCH, at_least, binomial, together

ROLLS = ["".join(dice) for dice in product("12345*", repeat=4)]


@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize("count", range(-1, 7))
def test_the_chance_of_at_least_so_many_among_four_unseen_dice(face: int, count: int) -> None:
    share = sum(matching(roll, face) >= count for roll in ROLLS) / len(ROLLS)
    assert at_least(count, 4, face) == pytest.approx(share)


def test_a_die_matches_a_number_twice_as_often_as_a_star() -> None:
    assert MATCH[1:] == (1 / 3, 1 / 3, 1 / 3, 1 / 3, 1 / 3, 1 / 6)


@given(st.integers(0, 6), st.integers(0, 6), st.floats(0, 1))
def test_groups_of_dice_with_one_chance_are_one_group(one: int, other: int, chance: float) -> None:
    counts = together(((one, chance), (other, chance)))
    assert counts == pytest.approx(binomial(one + other, chance))


@given(st.lists(st.tuples(st.integers(0, 5), st.floats(0, 1)), max_size=5))
def test_counts_of_several_groups_sum_to_one_and_have_the_mean_of_all(parts: list[tuple[int, float]]) -> None:
    counts = together(tuple(parts))
    assert sum(counts) == pytest.approx(1)
    mean = sum(k * p for k, p in enumerate(counts))
    assert mean == pytest.approx(sum(dice * chance for dice, chance in parts))
