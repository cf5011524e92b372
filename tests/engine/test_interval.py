"""Intervals of 95 %: of shares, of means and of beliefs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.interval import of_belief, of_mean, of_share


def test_wilsons_interval_for_ten_of_a_hundred() -> None:
    assert of_share(10, 100) == pytest.approx((0.1, 0.0552, 0.1744), abs=1e-4)


def test_wilsons_interval_by_the_worked_example() -> None:
    # Newcombe (1998), table I: 15 of 148 gives 0.0624 to 0.1605
    assert of_share(15, 148) == pytest.approx((15 / 148, 0.0624, 0.1605), abs=5e-5)


@given(
    st.integers(1, 400).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials)))
)
def test_wilsons_interval_holds_the_share_and_stays_a_share(counted: tuple[int, int]) -> None:
    share, low, high = of_share(*counted)
    assert 0 <= low <= share + 1e-12
    assert share - 1e-12 <= high <= 1


def test_wilsons_interval_stays_inside_0_and_1() -> None:
    assert of_share(0, 10) == pytest.approx((0, 0, 0.2775), abs=1e-4)
    assert of_share(0, 400).low == 0
    assert of_share(10, 10) == pytest.approx((1, 0.7225, 1), abs=1e-4)


def test_the_mean_with_its_standard_error() -> None:
    assert of_mean([1, 2, 3, 4]) == pytest.approx((2.5, 2.5 - 1.2651, 2.5 + 1.2651), abs=1e-3)
    assert of_mean([7]) == (7, 7, 7)


def test_a_belief_reaches_196_sigma_to_both_sides() -> None:
    assert of_belief(25.0, 5.0) == pytest.approx((25.0, 15.2, 34.8))
