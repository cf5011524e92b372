"""What a table brings, whatever its size."""

from fractions import Fraction
from itertools import pairwise

import pytest

from engine.scoring.stage.results import PARTS, TableResult
from engine.scoring.stage.rules import StageRules, StageScoring
from engine.scoring.stage.table_points import (
    best_of_over,
    best_of_places,
    bye_score,
    middle_score,
    most_score,
    table_places,
    table_scores,
)
from tests.engine.scoring.stage.build import game, rules, table

CNTDICE = rules(scoring=StageScoring.CNTDICE)
TOTALS = rules(scoring=StageScoring.TOTALS)
PLACEMENT = rules(scoring=StageScoring.PLACEMENT)
WIN_DRAW_LOSS = rules(scoring=StageScoring.WIN_DRAW_LOSS)
STRIKES = rules(scoring=StageScoring.STRIKES)
BEST_OF_3 = rules(scoring=StageScoring.BEST_OF, games=3)


def points(rules: StageRules, played: TableResult) -> list[Fraction]:
    return [Fraction(score, PARTS) for score in table_scores(rules, played)]


def test_cntdice_is_the_sum_of_the_dice_scores() -> None:
    games = (game(1, 2, 3, 4, cntdice=(20, 17, 9, 4)), game(4, 1, 2, 3, cntdice=(5, 20, 15, 10)))
    assert points(CNTDICE, TableResult(1, ("a", "b", "c", "d"), games)) == [25, 37, 24, 14]


def test_at_a_short_table_dice_scores_grow_to_the_wanted_size() -> None:
    short = TableResult(1, ("a", "b", "c"), (game(1, 2, 3, cntdice=(15, 8, 5)),))
    assert points(CNTDICE, short) == [20, Fraction(32, 3), Fraction(20, 3)]


def test_a_dice_score_that_is_missing_is_never_invented() -> None:
    with pytest.raises(ValueError, match="no dice scores"):
        table_scores(CNTDICE, table(1, "abcd"))


@pytest.mark.parametrize("seats", range(2, 9))
def test_totals_are_added_up_as_they_are_whatever_the_size_of_the_table(seats: int) -> None:
    totals = tuple(range(300, 300 - seats, -1))
    order = tuple(range(1, seats + 1))
    games = (game(*order, totals=totals), game(*order[::-1], totals=totals[::-1]))
    played = TableResult(1, tuple("abcdefgh"[:seats]), games)
    assert points(TOTALS, played) == [601 - seats] * seats


def test_places_at_a_table_of_several_games_go_by_the_sum_of_totals() -> None:
    games = (game(1, 2, 3, totals=(200, 190, 90)), game(2, 3, 1, totals=(190, 180, 310)))
    assert table_places(TOTALS, TableResult(1, tuple("abc"), games)) == (2, 3, 1)


def test_a_total_that_is_missing_is_never_invented() -> None:
    with pytest.raises(ValueError, match="no totals"):
        table_scores(TOTALS, TableResult(1, tuple("ab"), (game(1, 2, cntdice=(10, 5)),)))


@pytest.mark.parametrize("size", [2, 4, 8])
def test_by_totals_a_bye_is_half_of_what_a_sheet_can_hold_in_duels_too(size: int) -> None:
    by_totals = rules(scoring=StageScoring.TOTALS, size=size)
    assert Fraction(most_score(by_totals, 1), PARTS) == 375
    assert Fraction(bye_score(by_totals), PARTS) == Fraction(375, 2)
    assert bye_score(rules(scoring=StageScoring.TOTALS, size=size, games=2)) == 375 * PARTS


def test_placement_is_the_seats_left_behind_and_who_shares_a_rank_is_not_behind() -> None:
    assert points(PLACEMENT, table(1, "abcd")) == [3, 2, 1, 0]
    assert points(PLACEMENT, TableResult(1, tuple("abcd"), (game(1, 2, 2, 4),))) == [3, 1, 1, 0]


@pytest.mark.parametrize("seats", range(2, 9))
def test_by_placement_the_winner_of_any_table_has_the_same_and_the_last_nothing(seats: int) -> None:
    brought = points(PLACEMENT, table(1, "abcdefgh"[:seats]))
    assert [brought[0], brought[-1]] == [3, 0]
    assert [one - other for one, other in pairwise(brought)] == [Fraction(3, seats - 1)] * (
        seats - 1
    )


def test_a_win_is_2_a_shared_win_1_and_all_else_0() -> None:
    assert points(WIN_DRAW_LOSS, table(1, "abcd")) == [2, 0, 0, 0]
    assert points(WIN_DRAW_LOSS, TableResult(1, tuple("abc"), (game(1, 1, 3),))) == [1, 1, 0]
    assert points(WIN_DRAW_LOSS, table(1, "ab", "ab", "ba")) == [4, 2]


def test_with_strikes_all_have_1_but_those_who_are_last_unless_nobody_is_ahead_of_them() -> None:
    assert points(STRIKES, table(1, "abcd")) == [1, 1, 1, 0]
    assert points(STRIKES, TableResult(1, tuple("abcd"), (game(1, 2, 3, 3),))) == [1, 1, 0, 0]
    assert points(STRIKES, TableResult(1, tuple("ab"), (game(1, 1),))) == [1, 1]
    assert most_score(STRIKES, 1) == bye_score(STRIKES) == PARTS, "who sits out has no strike"


def test_best_of_brings_the_place_at_the_table_once() -> None:
    assert points(BEST_OF_3, table(1, "abcd", "bacd", "bacd")) == [2, 3, 1, 0]


def test_equal_wins_of_a_best_of_are_parted_by_the_seats_left_behind_in_all_games() -> None:
    assert best_of_places(table(1, "abc", "bac", "cab").games) == (1, 2, 3)
    assert best_of_places(table(1, "ab", "ba").games) == (1, 1)


@pytest.mark.parametrize(
    ("games", "most", "over"),
    [
        ([], 3, False),
        ([(1, 2)], 3, False),
        ([(1, 2), (1, 2)], 3, True),
        ([(1, 2), (2, 1)], 3, False),
        ([(1, 2), (2, 1), (1, 2)], 3, True),
        ([(1, 2), (1, 1)], 3, False),
        ([(1, 2, 3), (1, 2, 3)], 4, False),
        ([(1, 2, 3)], 1, True),
    ],
)
def test_a_best_of_is_over_when_nobody_can_catch_the_leader(
    games: list[tuple[int, ...]], most: int, over: bool
) -> None:
    assert best_of_over([game(*rank) for rank in games], most) == over


def test_places_at_a_table_of_several_games_go_by_points_then_by_seats_left_behind() -> None:
    assert table_places(WIN_DRAW_LOSS, table(1, "abcd", "bcda")) == (2, 1, 3, 4)
    assert table_places(WIN_DRAW_LOSS, table(1, "abcd")) == (1, 2, 3, 4)


def test_a_table_that_is_not_over_brings_nothing_yet() -> None:
    assert points(PLACEMENT, TableResult(1, ("a", "b"))) == [0, 0]


def test_a_bye_is_a_win_in_duels_and_the_middle_at_larger_tables() -> None:
    duels = rules(scoring=StageScoring.WIN_DRAW_LOSS, size=2)
    assert bye_score(duels) == 2 * PARTS
    assert Fraction(bye_score(PLACEMENT), PARTS) == Fraction(3, 2)
    assert bye_score(CNTDICE) == 10 * PARTS
    assert bye_score(rules(bye=Fraction(7, 3))) == 7 * PARTS // 3


def test_the_most_that_a_table_brings_is_winning_every_game() -> None:
    assert [
        most_score(rule, 2) // PARTS for rule in (CNTDICE, PLACEMENT, WIN_DRAW_LOSS, BEST_OF_3)
    ] == [40, 6, 4, 3]
    assert middle_score(BEST_OF_3) == 3 * PARTS // 2
