"""What can't be of the outcome of a game of Bluff, ruling by ruling."""

import pytest

from tests.engine.record.build import fault, outcome, verdict

RANK, POINTS = "outcome_mismatch outcome.rank", "outcome_mismatch outcome.points"


@pytest.mark.parametrize("rank", [[1, 2], [2, 1, 3], [1, 2, 2, 4], [1, 2, 2], [4, 1, 2, 2], [1, 2, 2, 2, 2, 2]])
def test_b12_seats_out_together_share_a_rank(rank: list[int]) -> None:
    assert verdict(outcome(rank)).rank == tuple(rank)


@pytest.mark.parametrize("rank", [[1, 3], [0, 1], [2, 3, 4], [1, 2, 2, 3], [1, 2, 4], [-1, 1], [1, 2**53 - 1]])
def test_b12_other_ranks_end_no_game(rank: list[int]) -> None:
    assert fault(outcome(rank)) == RANK


def test_b11_one_seat_alone_is_left() -> None:
    assert fault(outcome([1, 1])) == RANK
    assert fault(outcome([1, 1, 3], [15, 15, 5], scoring="cntdice")) == RANK


@pytest.mark.parametrize(
    ("rank", "points"),
    [
        ([2, 1, 3], [10, 15, 6]),
        ([1, 2, 2, 4], [20, 15, 15, 5]),
        ([1, 2, 3], [15, 11, 10]),
        ([1, 2], [10, 9]),
    ],
)
def test_b13_dice_scores_that_can_be(rank: list[int], points: list[int]) -> None:
    ending = verdict(outcome(rank, points, scoring="cntdice")).ending
    assert ending.points == ending.cntdice == tuple(points)


@pytest.mark.parametrize(
    ("rank", "points"),
    [
        ([2, 1, 3], [9, 14, 6]),
        ([2, 1, 3], [9, 16, 6]),
        ([2, 1, 3], [15, 15, 6]),
        ([2, 1, 3], [16, 15, 6]),
        ([2, 1, 3], [9, 15, -1]),
        ([2, 1, 3], [6, 15, 9]),
        ([1, 2, 2], [15, 9, 8]),
        ([1, 2, 2], [15, 8, 9]),
    ],
)
def test_b13_dice_scores_that_cannot_be(rank: list[int], points: list[int]) -> None:
    assert fault(outcome(rank, points, scoring="cntdice")) == POINTS


def test_b13_the_dice_are_those_of_the_ruleset() -> None:
    assert verdict(outcome([1, 2], [6, 3], scoring="cntdice", dice=3)).ok
    assert fault(outcome([1, 2], [10, 3], scoring="cntdice", dice=3)) == POINTS


def test_b13_by_placement_the_points_are_the_finishing_order() -> None:
    ending = verdict(outcome([2, 1, 3], [2, 1, 3])).ending
    assert (ending.points, ending.cntdice) == ((2, 1, 3), None)
    assert fault(outcome([2, 1, 3], [9, 15, 6])) == POINTS
