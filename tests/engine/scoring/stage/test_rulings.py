"""Penalties and orders that an arbiter sets, in the ranking of a stage."""

import json
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.illegal import Illegal
from engine.scoring.stage.ranking import draw_scores, stage_ranking
from engine.scoring.stage.reasons import between, explain_row
from engine.scoring.stage.results import GameResult, StageResults, TableResult
from engine.scoring.stage.rules import StageRules, StageScoring, StageTieBreak
from engine.scoring.stage.stage_file import read_stage, write_stage
from engine.scoring.stage.table_points import tells_points
from engine.scoring.wording import written
from tests.engine.scoring.stage.build import game, rules, stage, stages, table

FOUR = TableResult(1, tuple("abcd"), (GameResult((1, 2, 3, 4), (20, 14, 8, 3)),))


def ruled(
    played: TableResult,
    *,
    order: tuple[int, ...] | None = None,
    penalty: tuple[int, ...] | None = None,
) -> TableResult:
    """A table with a ruling on its first game."""
    first, *others = played.games
    return replace(played, games=(replace(first, order=order, penalty=penalty), *others))


def points(results: StageResults) -> dict[str, Fraction]:
    return {row.participant.player_id: row.points for row in stage_ranking(results)}


@st.composite
def rulings(draw: st.DrawFn) -> StageResults:
    """Any stage, in which arbiters have ruled on some of the games."""
    results = draw(stages())
    random = draw(st.randoms(use_true_random=False))
    tables = [
        replace(played, games=tuple([_ruled_game(random, one) for one in played.games]))
        for played in results.tables
    ]
    return replace(results, tables=tuple(tables))


def _ruled_game(random: Random, played: GameResult) -> GameResult:
    seats = len(played.rank)
    strengths = [random.randint(0, seats) for _ in range(seats)]
    order = tuple([1 + sum(other > own for other in strengths) for own in strengths])
    penalty = tuple([random.choice([0, 0, 1, 12]) for _ in range(seats)])
    return replace(
        played,
        order=order if random.random() < 0.4 else None,
        penalty=penalty if random.random() < 0.4 and any(penalty) else None,
    )


def test_a_penalty_takes_points_off_one_seat_alone() -> None:
    by_dice = rules(scoring=StageScoring.CNTDICE)
    assert points(stage(by_dice, FOUR)) == {"a": 20, "b": 14, "c": 8, "d": 3}
    assert points(stage(by_dice, ruled(FOUR, penalty=(7, 0, 0, 0)))) == {
        "b": 14,
        "a": 13,
        "c": 8,
        "d": 3,
    }


def test_points_can_fall_below_zero() -> None:
    results = stage(rules(), ruled(table(1, "ab"), penalty=(0, 2)))
    first, last = stage_ranking(results)
    assert (last.participant.player_id, last.points, last.penalty) == (
        "b",
        Fraction(-2),
        Fraction(2),
    )
    assert str(between(first, last)) == "A has 3 points, B -2"


def test_points_below_zero_are_written_with_one_sign() -> None:
    assert [written(Fraction(points, 3)) for points in (-3, -4, -1, 4)] == [
        "-1",
        "-1 1/3",
        "-1/3",
        "1 1/3",
    ]


def test_a_penalty_is_a_line_of_its_own() -> None:
    row = stage_ranking(stage(rules(), ruled(table(1, "ab"), penalty=(2, 0))))[0]
    assert [str(sentence) for sentence in explain_row(row)] == [
        "A has 1 point and rank 1",
        "round 1: place 1 of 2, counted as if at a table of 4: 3 points",
        "round 1: a penalty, -2 points",
    ]


def test_at_free_tables_it_names_the_table() -> None:
    free = replace(rules(size=2), free=True)
    row = stage_ranking(stage(free, ruled(table(3, "ab"), penalty=(2, 0))))[-1]
    assert str(explain_row(row)[2]) == "table 3: a penalty, -2 points"


def test_a_penalty_changes_nobody_elses_figures() -> None:
    by_all = rules(
        *[tie_break for tie_break in StageTieBreak if tie_break != StageTieBreak.HEAD_TO_HEAD]
    )
    played = (table(1, "abcd"), table(2, "badc"))
    before = {row.participant.player_id: row for row in stage_ranking(stage(by_all, *played))}
    after = stage_ranking(stage(by_all, ruled(played[0], penalty=(3, 0, 0, 0)), played[1]))
    assert [dict(row.figures) for row in after] == [
        dict(before[row.participant.player_id].figures) for row in after
    ]
    assert [
        row.score - before[row.participant.player_id].score for row in after if row.penalty
    ] == [-3 * 840]


def test_a_penalty_counts_once_the_points_of_its_game_are_known() -> None:
    by_dice = rules(scoring=StageScoring.CNTDICE)
    unknown = TableResult(1, tuple("ab"), (game(1, 2),))
    assert points(stage(by_dice, ruled(unknown, penalty=(0, 2)))) == {"a": 0, "b": 0}


def test_who_is_put_last_has_the_points_of_the_last() -> None:
    order = (4, 1, 2, 3)
    assert points(stage(rules(), ruled(FOUR, order=order))) == {"b": 3, "c": 2, "d": 1, "a": 0}
    by_dice = rules(scoring=StageScoring.CNTDICE)
    assert points(stage(by_dice, ruled(FOUR, order=order))) == {"b": 20, "c": 14, "d": 8, "a": 3}


def test_who_shares_a_rank_that_was_set_has_the_points_of_that_rank() -> None:
    by_dice = rules(scoring=StageScoring.CNTDICE)
    assert points(stage(by_dice, ruled(FOUR, order=(3, 1, 1, 3)))) == {
        "b": 20,
        "c": 20,
        "a": 8,
        "d": 8,
    }


def test_whoever_left_with_the_most_points_keeps_the_last_place() -> None:
    """Places tell who gets which points, not the points themselves: an order like that of play
    changes nothing."""
    by_totals = rules(scoring=StageScoring.TOTALS, size=3)
    played = TableResult(1, tuple("abc"), (game(3, 1, 2, totals=(300, 200, 100)),))
    assert points(stage(by_totals, ruled(played, order=(3, 1, 2)))) == points(
        stage(by_totals, played)
    )


@given(rulings())
def test_a_set_order_is_as_if_it_had_been_played_so(results: StageResults) -> None:
    def as_played(one: TableResult) -> TableResult:
        return replace(one, games=tuple([game.as_ruled for game in one.games]))

    played = replace(results, tables=tuple([as_played(one) for one in results.tables]))
    assert [
        (row.rank, row.participant, row.score, row.record) for row in stage_ranking(results)
    ] == [(row.rank, row.participant, row.score, row.record) for row in stage_ranking(played)]


@given(rulings())
def test_penalties_take_off_what_they_say(results: StageResults) -> None:
    def acquitted(one: TableResult) -> TableResult:
        return replace(one, games=tuple([replace(game, penalty=None) for game in one.games]))

    lost: dict[str, int] = {}
    for played in results.tables:
        for one in played.games:
            if one.penalty and tells_points(results.rules, one):
                for player, penalty in zip(played.players, one.penalty, strict=True):
                    lost[player] = lost.get(player, 0) + penalty
    clean = points(replace(results, tables=tuple([acquitted(one) for one in results.tables])))
    assert points(results) == {
        player: brought - lost.get(player, 0) for player, brought in clean.items()
    }


@given(rulings())
def test_the_sentences_of_a_row_add_up_with_its_penalties(results: StageResults) -> None:
    for row in stage_ranking(results):
        sentences = explain_row(row)
        scores = [score.score - score.penalty for score in row.record]
        assert Fraction(sum(scores), 840) + row.participant.carried == row.points
        assert sum(["penalty" in str(sentence) for sentence in sentences]) == sum(
            [bool(s.penalty) for s in row.record]
        )


@given(rulings())
def test_rulings_are_written_and_read_again(results: StageResults) -> None:
    text = write_stage(results)
    again = read_stage(text)
    assert isinstance(again, StageResults)
    assert write_stage(again) == text
    assert [(row.rank, row.participant, row.score) for row in stage_ranking(again)] == [
        (row.rank, row.participant, row.score) for row in stage_ranking(results)
    ]


@given(rulings())
def test_the_next_round_is_drawn_by_scores_of_which_none_is_below_zero(
    results: StageResults,
) -> None:
    rows = stage_ranking(results)
    scores = draw_scores(rows)
    assert all(score >= 0 for score in scores.values())
    by_rank = [scores[row.participant.player_id] for row in rows]
    assert by_rank == sorted(by_rank, reverse=True)


def test_keys_stand_where_there_is_a_ruling_and_nowhere_else() -> None:
    clean = write_stage(stage(rules(), table(1, "abcd")))
    assert "order" not in clean
    assert "penalty" not in clean
    text = write_stage(
        stage(rules(), ruled(table(1, "abcd"), order=(4, 1, 2, 3), penalty=(0, 0, 0, 0)))
    )
    (one,) = json.loads(text)["rounds"][0]["tables"][0]["games"]
    assert one == {"rank": [1, 2, 3, 4], "order": [4, 1, 2, 3]}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("order", [1, 2]),
        ("order", [1, 2, 2, 3]),
        ("order", [0, 1, 2, 3]),
        ("order", "1234"),
        ("penalty", [1, 2]),
        ("penalty", [-1, 0, 0, 0]),
        ("penalty", [1000, 0, 0, 0]),
        ("penalty", ["1/2", 0, 0, 0]),
    ],
)
def test_what_no_ruling_can_be_is_named_by_its_path(key: str, value: object) -> None:
    file = json.loads(write_stage(stage(rules(), table(1, "abcd"))))
    file["rounds"][0]["tables"][0]["games"][0][key] = value
    fault = read_stage(json.dumps(file))
    assert isinstance(fault, Illegal)
    assert fault.code == "bad_stage"
    assert str(fault.path).startswith(f"rounds[0].tables[0].games[0].{key}")


def test_several_games_of_a_table_lose_what_each_was_fined() -> None:
    best_of = StageRules(StageScoring.BEST_OF, 2, (), "seed", games=3)
    played = table(1, "ab", "ab")
    fined = replace(played, games=tuple([replace(one, penalty=(0, 1)) for one in played.games]))
    assert points(stage(best_of, fined)) == {"a": 1, "b": -2}
