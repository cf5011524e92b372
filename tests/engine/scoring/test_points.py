import pytest

from engine.record.kind import Ending
from engine.scoring.points import Scoring, game_points, placement


def test_b12_seats_that_share_a_rank_did_not_beat_each_other() -> None:
    assert placement([1, 2, 2, 4]) == (3, 1, 1, 0)


@pytest.mark.parametrize(
    ("scoring", "brought"),
    [("cntdice", (15, 4, 9)), ("placement", (2, 0, 1)), ("totals", (210, 90, 180))],
)
def test_a_game_brings_what_the_scoring_of_the_ranking_says(
    scoring: str, brought: tuple[int, ...]
) -> None:
    ending = Ending(
        True, rank=(1, 3, 2), points=(1, 3, 2), cntdice=(15, 4, 9), totals=(210, 90, 180)
    )
    assert game_points(Scoring(scoring), ending) == brought


@pytest.mark.parametrize("scoring", Scoring)
def test_a_game_that_is_not_over_brings_nothing(scoring: Scoring) -> None:
    assert game_points(scoring, Ending()) is None


def test_the_finishing_order_alone_is_enough_for_placement_and_for_nothing_else() -> None:
    brought = {scoring: game_points(scoring, Ending(True, rank=(2, 1))) for scoring in Scoring}
    assert brought == {Scoring.CNTDICE: None, Scoring.PLACEMENT: (0, 1), Scoring.TOTALS: None}
