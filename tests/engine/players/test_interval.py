"""Intervals of 95 %."""

import pytest

from engine.players.interval import of_mean, of_share


def test_wilsons_interval_for_ten_of_a_hundred() -> None:
    assert of_share(10, 100) == pytest.approx((0.1, 0.0552, 0.1744), abs=1e-4)


def test_wilsons_interval_stays_inside_0_and_1() -> None:
    assert of_share(0, 10) == pytest.approx((0, 0, 0.2775), abs=1e-4)
    assert of_share(0, 400).low == 0
    assert of_share(10, 10) == pytest.approx((1, 0.7225, 1), abs=1e-4)


def test_the_mean_with_its_standard_error() -> None:
    assert of_mean([1, 2, 3, 4]) == pytest.approx((2.5, 2.5 - 1.2651, 2.5 + 1.2651), abs=1e-3)
    assert of_mean([7]) == (7, 7, 7)
