"""What can't be of the outcome of a game of Bluff, ruling by ruling."""

from typing import Any

import pytest

from engine.bluff.ruleset import Ruleset
from engine.record.bluff.outcome import points_bounds
from engine.record.canonical import canonical_rounds
from engine.record.check import check, replay
from engine.record.export import export
from engine.record.outcome import KnownEnd
from engine.record.stored import replay_stored
from engine.record.verify import verify_line
from tests.engine.record.build import fault, named, outcome, record, verdict
from tests.engine.record.stored import stored

RANK, POINTS = "outcome_mismatch outcome.rank", "outcome_mismatch outcome.points"


@pytest.mark.parametrize(
    "rank", [[1, 2], [2, 1, 3], [1, 2, 2, 4], [1, 2, 2], [4, 1, 2, 2], [1, 2, 2, 2, 2, 2]]
)
def test_b12_seats_out_together_share_a_rank(rank: list[int]) -> None:
    assert verdict(outcome(rank)).rank == tuple(rank)


@pytest.mark.parametrize(
    "rank", [[1, 3], [0, 1], [2, 3, 4], [1, 2, 2, 3], [1, 2, 4], [-1, 1], [1, 2**53 - 1]]
)
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


def ended(
    rank: list[int], dice: list[int] | None, points: list[int] | None = None, **keys: Any
) -> dict[str, Any]:
    """A game that the clock ended, of which only the end is known; `forfeit` is a key of it, the
    rest are rules."""
    forfeit = {"forfeit": keys.pop("forfeit")} if "forfeit" in keys else {}
    written = outcome(rank, points, **{"scoring": "cntdice", **keys})
    written["outcome"] |= forfeit | {"ended": "clock"} | ({} if dice is None else {"dice": dice})
    return written


def test_b20_equal_dice_share_the_rank_the_first_too_and_the_points_follow() -> None:
    assert verdict(ended([1, 1, 3], [4, 4, 2])).points == (9, 9, 7)
    assert verdict(ended([1, 1, 3], [4, 4, 0], [11, 11, 5])).points == (11, 11, 5)
    assert verdict(ended([1, 1, 3], [4, 4, 0])).points is None
    assert verdict(ended([1, 1, 3], [4, 4, 2], scoring="placement")).points == (1, 1, 3)


def test_b20_points_that_follow_from_the_dice_change_no_digest() -> None:
    full, bare = record(ended([1, 1, 3], [4, 4, 2], [9, 9, 7])), record(ended([1, 1, 3], [4, 4, 2]))
    assert canonical_rounds(full) == canonical_rounds(bare)
    assert canonical_rounds(bare) == [b'{"dice":[4,4,2],"ended":"clock","rank":[1,1,3]}']


def test_b20_the_dice_need_not_be_told_where_nothing_is_made_of_them() -> None:
    assert verdict(ended([1, 1, 3], None, scoring="placement")).rank == (1, 1, 3)
    assert verdict(ended([1, 1, 3], None)).points is None
    assert fault(ended([1, 1, 3], None, [11, 11, 5])) == "outcome_mismatch outcome.dice"
    assert (
        fault(outcome([1, 2]) | {"outcome": {"rank": [1, 2], "dice": [1, 2]}})
        == "bad_record outcome.dice"
    )


@pytest.mark.parametrize(
    ("written", "wrong"),
    [
        (ended([1, 2, 3], [4, 4, 2]), RANK),
        (ended([2, 1, 3], [4, 2, 0]), RANK),
        (ended([1, 3, 2], [4, 2, 0]), RANK),
        (ended([1, 2, 3], [4, 3, 6]), "outcome_mismatch outcome.dice"),
        (ended([1, 1, 1], [0, 0, 0]), "outcome_mismatch outcome.dice"),
        (ended([1, 2, 3], [4, 0, 0]), "clock_mismatch outcome.ended"),
        (
            ended([1, 2, 3], None, forfeit=[2, 1], scoring="placement"),
            "clock_mismatch outcome.ended",
        ),
        (ended([1, 2, 3], [4, 3, 2], forfeit=[2]), "outcome_mismatch outcome.dice"),
        (ended([1, 1, 3], [4, 4, 0], [11, 11, 4]), POINTS),
        (ended([1, 1, 3], [4, 4, 0], [10, 11, 5]), POINTS),
        (ended([1, 1, 3], [4, 4, 0], [11, 11, 8]), POINTS),
    ],
)
def test_b20_what_cannot_be_when_time_is_up(written: dict[str, Any], wrong: str) -> None:
    assert fault(written) == wrong


def left(rank: list[int], forfeit: list[int], points: list[int] | None = None) -> dict[str, Any]:
    written = outcome(rank, points, scoring="cntdice")
    written["outcome"]["forfeit"] = forfeit
    return written


def test_b17_who_left_later_is_not_behind_and_who_left_together_share_the_rank() -> None:
    assert verdict(left([1, 2, 3], [2, 1])).ok
    assert verdict(left([1, 2, 2], [2, 1], [15, 12, 12])).ok
    assert verdict(left([1, 2, 3], [1])).ok
    assert fault(left([1, 2, 3], [1, 2])) == "outcome_mismatch outcome.forfeit"


def test_b17_the_last_seat_cannot_have_left() -> None:
    assert fault(left([1, 2, 3], [2, 0])) == "outcome_mismatch outcome.forfeit"
    assert fault(left([1, 2, 3], [2, 1, 0])) == "outcome_mismatch outcome.forfeit"


def test_b17_who_left_shares_no_rank_with_who_went_out() -> None:
    assert fault(left([1, 2, 2], [2])) == "outcome_mismatch outcome.forfeit"


@pytest.mark.parametrize(
    ("forfeit", "path"), [([], ""), ([1, 1], ""), ([3], "[0]"), ([-1], "[0]"), (1, "")]
)
def test_b17_who_left_is_some_of_the_seats(forfeit: Any, path: str) -> None:
    assert fault(left([1, 2, 3], forfeit)) == f"bad_record outcome.forfeit{path}"


def test_b13_with_so_many_seats_ahead_so_many_dice_can_be_gone() -> None:
    assert fault(outcome([1, 2, 3, 4], [20, 3, 2, 1], scoring="cntdice")) == POINTS
    rules, end = Ruleset(dice=5, scoring="cntdice"), KnownEnd((1, 2, 3, 4))
    assert [(scores[0], scores[-1]) for scores in points_bounds(rules, end)] == [
        (20, 20),
        (15, 19),
        (10, 18),
        (5, 17),
    ]


def test_b13_what_was_sealed_before_counts_as_it_did() -> None:
    impossible = record(outcome([1, 2, 3], [15, 3, 2], scoring="cntdice"))
    assert not check(impossible).ok
    assert replay(impossible).points == (15, 3, 2)
    sealed = named(outcome([1, 2, 3], [15, 3, 2], scoring="cntdice"))
    header, handles, _, bodies, _ = stored(sealed)
    assert replay_stored(header, handles, bodies).points == (15, 3, 2)
    verified = verify_line(export(sealed))
    assert verified.ok
    assert any("counts only as it was sealed" in sentence for sentence in verified.not_checked)
