"""What can't be of the outcome of a game of Lügen-Kniffel, ruling by ruling."""

import pytest

from tests.engine.record.build import fault, kniffel_outcome, verdict


def test_k13_equal_totals_share_the_rank_the_first_one_too() -> None:
    assert verdict(kniffel_outcome([1, 1, 3], [200, 200, 150])).ending.totals == (200, 200, 150)
    assert verdict(kniffel_outcome([1, 1, 1])).rank == (1, 1, 1)


def test_k13_other_ranks_end_no_game() -> None:
    assert fault(kniffel_outcome([1, 2, 2, 3])) == "outcome_mismatch outcome.rank"


@pytest.mark.parametrize("points", [[150, 200], [200, 200], [200, -1], [376, 200]])
def test_k13_the_order_of_the_ranks_is_that_of_the_totals(points: list[int]) -> None:
    assert fault(kniffel_outcome([1, 2], points)) == "outcome_mismatch outcome.points"


def test_k12_no_sheet_has_more_than_all_that_can_be_announced_and_the_bonus() -> None:
    assert verdict(kniffel_outcome([1, 2], [375, 0])).ok
