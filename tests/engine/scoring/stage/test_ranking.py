"""The ranking of a stage: a pure fold of what happened at its tables."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from random import Random

from hypothesis import assume, given
from hypothesis import strategies as st

from engine.scoring.stage.ranking import StageRow, draw_scores, stage_ranking
from engine.scoring.stage.results import (
    RoundBye,
    StageParticipant,
    StageResults,
    TableResult,
    results_fault,
)
from engine.scoring.stage.rules import StageScoring, StageTieBreak
from tests.engine.scoring.stage.build import game, played_game, rules, stage, stages, table

HEAD_TO_HEAD = rules(StageTieBreak.HEAD_TO_HEAD, scoring=StageScoring.WIN_DRAW_LOSS, size=2)


def standing(rows: Sequence[StageRow]) -> list[tuple[int, str]]:
    return [(row.rank, row.participant.player_id) for row in rows]


def test_more_points_are_better_and_equal_ones_share_the_rank() -> None:
    rows = stage_ranking(stage(rules(), table(1, "abcd"), table(1, "efgh")))
    assert standing(rows) == [
        (1, "a"),
        (1, "e"),
        (3, "b"),
        (3, "f"),
        (5, "c"),
        (5, "g"),
        (7, "d"),
        (7, "h"),
    ]
    assert [row.points for row in rows] == [3, 3, 2, 2, 1, 1, 0, 0]


def test_points_carried_over_and_byes_count() -> None:
    rows = stage_ranking(stage(rules(), table(1, "abcd"), byes=(RoundBye(2, "d"),), c=9))
    assert standing(rows) == [(1, "c"), (2, "a"), (3, "b"), (4, "d")]
    assert [row.points for row in rows] == [10, 3, 2, Fraction(3, 2)]


def test_the_points_of_a_short_table_are_exact() -> None:
    short = TableResult(1, ("a", "b", "c"), (game(1, 2, 3, cntdice=(15, 8, 5)),))
    rows = stage_ranking(
        stage(
            rules(scoring=StageScoring.CNTDICE),
            short,
            replace(short, round_number=2),
            replace(short, round_number=3),
        )
    )
    assert [row.points for row in rows] == [60, 32, 20]


def test_tie_breaks_apply_in_the_order_of_the_stage() -> None:
    """a was first and third, b twice second."""
    tables = (table(1, "axy"), table(1, "wbz"), table(2, "xya"), table(2, "wbz"))
    by_wins = stage_ranking(
        stage(rules(StageTieBreak.WINS, StageTieBreak.LAST_TABLE, size=3), *tables, a=10, b=10)
    )
    by_last_table = stage_ranking(
        stage(rules(StageTieBreak.LAST_TABLE, StageTieBreak.WINS, size=3), *tables, a=10, b=10)
    )
    assert standing(by_wins)[:2] == [(1, "a"), (2, "b")]
    assert standing(by_last_table)[:2] == [(1, "b"), (2, "a")]


def test_those_whom_head_to_head_leaves_tied_are_compared_anew_among_themselves() -> None:
    """Of four with equal points, b and c have done equally well against the others, and b has
    beaten c."""
    drawn = [
        TableResult(round, tuple(pair), (game(1, 1),)) for round, pair in ((2, "ac"), (3, "bd"))
    ]
    duels = (table(1, "ab"), table(1, "cd"), *drawn, table(3, "ad"), table(4, "bc"))
    rows = stage_ranking(stage(HEAD_TO_HEAD, *duels, b=2, c=2, d=4))
    assert {row.points for row in rows} == {5}
    assert standing(rows) == [(1, "a"), (2, "b"), (3, "c"), (4, "d")]
    assert [row.figures[StageTieBreak.HEAD_TO_HEAD] for row in rows] == [5, 3, 3, 1]
    separation = rows[2].separation
    assert separation is not None
    assert (separation.above, separation.below, separation.among) == (2, 0, ("B", "C"))


def test_a_circle_of_three_stays_tied_by_head_to_head() -> None:
    rows = stage_ranking(stage(HEAD_TO_HEAD, table(1, "ab"), table(2, "bc"), table(3, "ca")))
    assert standing(rows) == [(1, "a"), (1, "b"), (1, "c")]


def test_who_withdrew_keeps_the_rank_of_the_points() -> None:
    played = stage(rules(), table(1, "abcd"))
    left = replace(
        played,
        participants=tuple(
            [replace(one, withdrawn=one.player_id == "a") for one in played.participants]
        ),
    )
    assert standing(stage_ranking(left)) == standing(stage_ranking(played))


def test_who_withdrew_before_playing_is_not_ranked() -> None:
    played = stage(rules(), table(1, "abcd"))
    more = replace(
        played, participants=(*played.participants, StageParticipant("z", "Z", withdrawn=True))
    )
    assert stage_ranking(more) == stage_ranking(played)


def test_a_guest_is_not_ranked_but_the_game_stays_as_it_was_played() -> None:
    played = stage(rules(), table(1, "abcd"))
    without = replace(
        played, participants=tuple([one for one in played.participants if one.player_id != "a"])
    )
    rows = stage_ranking(without)
    assert standing(rows) == [(1, "b"), (2, "c"), (3, "d")]
    assert [row.points for row in rows] == [2, 1, 0]


def test_who_shares_a_rank_stands_by_seeding_then_by_id() -> None:
    participants = [
        StageParticipant("p10", ""),
        StageParticipant("p9", ""),
        StageParticipant("q", "", seeding=1),
    ]
    rows = stage_ranking(StageResults(rules(), tuple(participants), ()))
    assert standing(rows) == [(1, "q"), (1, "p9"), (1, "p10")]


def test_a_stage_of_nobody_has_no_rows() -> None:
    assert stage_ranking(StageResults(rules(), (), ())) == ()
    assert draw_scores(()) == {}


def test_scores_for_a_draw_are_whole_and_keep_all_proportions() -> None:
    rows = stage_ranking(stage(rules(), table(1, "abc"), table(2, "abc")))
    assert draw_scores(rows) == {"a": 2, "b": 1, "c": 0}
    assert draw_scores(stage_ranking(stage(rules(), TableResult(1, ("a", "b"))))) == {
        "a": 0,
        "b": 0,
    }


@given(stages())
def test_any_such_stage_is_without_fault_and_ranks_everybody_once(played: StageResults) -> None:
    assert results_fault(played) is None
    rows = stage_ranking(played)
    at_tables = {player for table in played.tables if table.games for player in table.players}
    wanted = {
        one.player_id
        for one in played.participants
        if not one.withdrawn or one.player_id in at_tables
    }
    assert sorted(row.participant.player_id for row in rows) == sorted(wanted)


@given(stages(), st.randoms(use_true_random=False))
def test_the_order_of_the_input_changes_nothing(played: StageResults, random: Random) -> None:
    shuffled = replace(
        played,
        participants=tuple(random.sample(played.participants, len(played.participants))),
        tables=tuple(random.sample(played.tables, len(played.tables))),
        byes=tuple(random.sample(played.byes, len(played.byes))),
    )
    assert stage_ranking(shuffled) == stage_ranking(played)


@given(stages(), st.randoms(use_true_random=False))
def test_the_order_of_seats_changes_nothing(played: StageResults, random: Random) -> None:
    def seated_anew(table: TableResult) -> TableResult:
        seats = random.sample(range(len(table.players)), len(table.players))
        games = [
            replace(
                one,
                rank=tuple([one.rank[seat] for seat in seats]),
                cntdice=one.cntdice and tuple([one.cntdice[seat] for seat in seats]),
                totals=one.totals and tuple([one.totals[seat] for seat in seats]),
            )
            for one in table.games
        ]
        return replace(
            table, players=tuple([table.players[seat] for seat in seats]), games=tuple(games)
        )

    assert stage_ranking(
        replace(played, tables=tuple(map(seated_anew, played.tables)))
    ) == stage_ranking(played)


@given(stages(), st.randoms(use_true_random=False))
def test_a_correction_is_the_same_as_having_played_it_right_the_first_time(
    played: StageResults, random: Random
) -> None:
    if played.tables:
        number = random.randrange(len(played.tables))
        entered = list(played.tables)
        seats = len(entered[number].players)
        entered[number] = replace(entered[number], games=(played_game(random, seats),))
        stage_ranking(replace(played, tables=tuple(entered)))
        entered.append(played.tables[number])
        del entered[number]
        assert stage_ranking(replace(played, tables=tuple(entered))) == stage_ranking(played)


@given(stages())
def test_removing_who_withdrew_without_playing_changes_nothing(played: StageResults) -> None:
    seated = {player for table in played.tables for player in table.players}
    stay = [one for one in played.participants if not one.withdrawn or one.player_id in seated]
    ids = {one.player_id for one in stay}
    smaller = replace(
        played,
        participants=tuple(stay),
        byes=tuple([bye for bye in played.byes if bye.player in ids]),
    )
    rounds = max(
        [
            0,
            *(table.round_number for table in smaller.tables),
            *(bye.round_number for bye in smaller.byes),
        ]
    )
    assume(
        rounds
        == max(
            [
                0,
                *(table.round_number for table in played.tables),
                *(bye.round_number for bye in played.byes),
            ]
        )
    )
    assert stage_ranking(smaller) == stage_ranking(played)


@given(stages())
def test_ranks_follow_the_points_and_then_the_tie_breaks_in_their_order(
    played: StageResults,
) -> None:
    rows = stage_ranking(played)
    for place, (above, below) in enumerate(pairwise(rows), start=2):
        assert below.rank in (above.rank, place)
        if above.score != below.score:
            assert above.score > below.score
            assert below.separation is not None
            assert below.separation.by is None
            continue
        unlike = [
            by
            for by in played.rules.tie_breaks
            if by != StageTieBreak.HEAD_TO_HEAD and above.figures[by] != below.figures[by]
        ]
        if below.separation is None:
            assert (below.rank, unlike) == (above.rank, [])
        elif below.separation.by == StageTieBreak.HEAD_TO_HEAD:
            earlier = played.rules.tie_breaks[
                : played.rules.tie_breaks.index(StageTieBreak.HEAD_TO_HEAD)
            ]
            assert not set(unlike) & set(earlier)
        else:
            assert below.separation.by == unlike[0]
            assert (below.separation.above, below.separation.below) == (
                above.figures[unlike[0]],
                below.figures[unlike[0]],
            )
            assert below.separation.above > below.separation.below  # type: ignore[operator]
