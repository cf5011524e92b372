"""What can't be of the outcome of a game of Lügen-Kniffel, ruling by ruling."""

from typing import Any

import pytest

from engine.kniffel.combinations import Ruleset
from engine.record.kniffel.outcome import clock_end
from engine.record.outcome import KnownEnd
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


def broken_off(rank: list[int], points: list[int] | None = None, **keys: Any) -> dict[str, Any]:
    written = kniffel_outcome(rank, points)
    written["outcome"] |= keys
    return written


def test_k15_who_left_is_behind_all_who_stayed_whatever_the_sheet_says() -> None:
    assert verdict(broken_off([1, 2, 4, 3], [150, 100, 200, 90], forfeit=[2, 3])).ok
    assert (
        fault(broken_off([2, 3, 1], [150, 100, 200], forfeit=[2]))
        == "outcome_mismatch outcome.rank"
    )
    assert (
        fault(broken_off([1, 2, 3], [100, 150, 200], forfeit=[2]))
        == "outcome_mismatch outcome.points"
    )


def test_k15_who_left_later_is_not_behind_who_left_before() -> None:
    assert fault(broken_off([1, 2, 3], forfeit=[1, 2])) == "outcome_mismatch outcome.forfeit"
    assert verdict(broken_off([1, 2, 2], forfeit=[1, 2])).ok
    assert fault(broken_off([1, 2, 3], forfeit=[2, 1, 0])) == "outcome_mismatch outcome.forfeit"


def test_k17_time_was_up() -> None:
    assert verdict(broken_off([1, 1, 3], [150, 150, 90], ended="clock")).ok
    assert (
        fault(broken_off([1, 2, 3], forfeit=[2, 1], ended="clock"))
        == "clock_mismatch outcome.ended"
    )
    assert fault(broken_off([1, 2], ended="clock", dice=[2, 1])) == "outcome_mismatch outcome.dice"


def test_k17_the_end_by_the_clock_follows_from_the_sheets_and_who_left() -> None:
    end = clock_end(Ruleset(), [150, 200, 150, 180], [[1], [3]], [1, 3])
    assert end == KnownEnd((1, 4, 1, 3), (150, 200, 150, 180), None, (1, 3), "clock")
    with pytest.raises(ValueError, match="who is out"):
        clock_end(Ruleset(), [150, 200], [[1]], [])
