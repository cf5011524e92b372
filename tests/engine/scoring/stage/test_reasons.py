"""What the sentences of a ranking say, and that they are true."""

import re
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given

from engine.messages import Message
from engine.scoring.stage.ranking import stage_ranking
from engine.scoring.stage.reasons import between, explain_row
from engine.scoring.stage.registry import TIE_BREAKS
from engine.scoring.stage.results import RoundBye, StageParticipant, StageResults, TableResult
from engine.scoring.stage.rules import StageScoring, StageTieBreak
from engine.scoring.stage.tie_breaks import NOWHERE
from engine.scoring.wording import counted
from tests.engine.scoring.stage.build import game, rules, stage, stages, table

DUELS = rules(StageTieBreak.HEAD_TO_HEAD, scoring=StageScoring.WIN_DRAW_LOSS, size=2)


def first_reason(played: StageResults) -> str:
    above, below, *_ = stage_ranking(played)
    return str(between(above, below))


def test_points_decide() -> None:
    assert first_reason(stage(DUELS, table(1, "ab"), table(1, "cd"), a=3)) == "A has 5 points, C 2"


def test_those_who_met_once_hear_in_which_round() -> None:
    assert (
        first_reason(stage(DUELS, table(3, "ba"), a=12, b=10))
        == "B and A have 12 points; they met in round 3, and B finished ahead"
    )


def test_those_who_met_more_often_hear_in_which_rounds() -> None:
    assert first_reason(stage(DUELS, table(1, "ba"), table(2, "ab"), table(4, "ba"), a=2)) == (
        "B and A have 4 points; they met in rounds 1, 2 and 4, and B finished ahead more often"
    )


def test_at_free_tables_they_hear_at_which_table() -> None:
    free = replace(DUELS, free=True)
    assert first_reason(stage(free, table(3, "ba"), a=12, b=10)) == (
        "B and A have 12 points; they met at table 3, and on the whole B finished ahead"
    )
    assert first_reason(stage(free, table(1, "ba"), table(2, "ab"), table(4, "ba"), a=2)) == (
        "B and A have 4 points; they met at table 1, 2 and 4, and on the whole B finished ahead"
    )
    short = stage(replace(free, size=3), table(2, "ab"))
    assert [str(sentence) for sentence in explain_row(stage_ranking(short)[0])][1] == (
        "table 2: place 1 of 2, counted as at a table of 3: 2 points"
    )
    played = stage(free, table(2, "ab"), TableResult(5, ("a", "b")), c=0)
    assert [str(sentence) for sentence in explain_row(stage_ranking(played)[0])][1:3] == [
        "table 2: place 1 of 2, 2 points",
        "table 5: not over yet",
    ]


def test_of_several_who_are_tied_all_are_named() -> None:
    played = stage(DUELS, table(1, "ab"), table(2, "bc"), table(3, "ac"), b=2, c=4)
    assert first_reason(played) == (
        "A and B have 4 points; A, B and C have all met; by 2 for a place ahead and 1 for a shared one A has 4, B 2"
    )


ROUND_1 = (table(1, "axy"), table(1, "wbz"))


@pytest.mark.parametrize(
    ("tie_break", "reason"),
    [
        (StageTieBreak.WINS, "A won more games: 1, B 0"),
        (StageTieBreak.POINTS_SHARE, "A has the larger share of the points within reach: 1, B 1/2"),
        (StageTieBreak.BEST_GAME, "the best game of A brought 2, that of B 1"),
        (StageTieBreak.LAST_TABLE, "at the last round’s table A had place 1, B 2"),
    ],
)
def test_a_tie_break_says_by_what_it_decides(tie_break: StageTieBreak, reason: str) -> None:
    played = stage(rules(tie_break, size=3), *ROUND_1, a=10, b=11)
    assert first_reason(played) == f"A and B have 12 points; {reason}"


def test_equal_wins_are_decided_by_the_first_place_reached_unlike_often() -> None:
    played = stage(rules(StageTieBreak.WINS, size=3), table(1, "xay"), table(1, "wzb"), a=10, b=11)
    assert first_reason(played) == "A and B have 11 points; A had place 2 in more games: 1, B 0"


def test_opponents_decide() -> None:
    played = stage(
        rules(StageTieBreak.OPPONENTS_SCORE, size=2), table(1, "xa"), table(1, "yb"), table(2, "xy"), a=9, b=9
    )
    assert first_reason(played) == ("A and B have 9 points; the opponents of A have the higher score: 2, those of B 1")


def test_who_has_no_table_in_the_last_round_is_told_so() -> None:
    played = stage(rules(StageTieBreak.LAST_TABLE, size=2), table(1, "ab"), table(2, "ca"), a=8, b=9)
    assert first_reason(played) == "A and B have 9 points; A sat at a table in the last round, B did not"


def test_seeding_decides() -> None:
    participants = tuple(
        [StageParticipant(id, id.upper(), seeding) for id, seeding in (("a", None), ("b", 2), ("c", 1))]
    )
    rows = stage_ranking(StageResults(rules(StageTieBreak.SEEDING), participants, ()))
    assert [str(between(*pair)) for pair in pairwise(rows)] == [
        "C and B have 0 points; in the starting list C has number 1, B 2",
        "B and A have 0 points; B is in the starting list, A is not",
    ]


def test_lots_decide_and_the_tie_breaks_before_are_named() -> None:
    played = stage(
        rules(StageTieBreak.HEAD_TO_HEAD, StageTieBreak.WINS, StageTieBreak.BEST_GAME, StageTieBreak.LOTS),
        TableResult(1, ("a", "b")),
    )
    assert re.fullmatch(
        "(A|B) and (A|B) have 0 points; not separated by: head-to-head, wins and places and best game; "
        "the lots were drawn: (A|B) [0-9a-f]{8}, (A|B) [0-9a-f]{8}",
        first_reason(played),
    )


def test_who_shares_a_rank_is_told_that_nothing_separates() -> None:
    assert first_reason(stage(rules(), TableResult(1, ("a", "b")))) == (
        "A and B have 0 points, and no tie-break separates them: both have rank 1"
    )


def test_a_row_says_what_its_points_are_made_of() -> None:
    tables = (table(1, "abcd"), table(2, "xay"), TableResult(4, ("a", "b")))
    first, *_ = stage_ranking(
        stage(rules(StageTieBreak.WINS, StageTieBreak.LAST_TABLE), *tables, byes=(RoundBye(3, "a"),), a=1)
    )
    assert list(map(str, explain_row(first))) == [
        "A has 7 points and rank 1",
        "carried over from before: 1 point",
        "round 1: place 1 of 4, 3 points",
        "round 2: place 2 of 3, counted as at a table of 4: 1 1/2 points",
        "round 3: a bye, 1 1/2 points",
        "round 4: not over yet",
        "wins and places: 1–1",
    ]


def test_a_row_says_who_has_withdrawn() -> None:
    played = StageResults(rules(), (StageParticipant("a", "Ana", withdrawn=True),), (table(1, "ab"),))
    (row,) = stage_ranking(played)
    assert "Ana has withdrawn" in map(str, explain_row(row))


@pytest.mark.parametrize(
    ("tie_break", "figure", "text"),
    [
        (StageTieBreak.WINS, (3, 1, 0, 2, 0, 0, 0, 0), "3–1–0–2"),
        (StageTieBreak.WINS, (0,) * 8, "0"),
        (StageTieBreak.LAST_TABLE, -2, "2"),
        (StageTieBreak.LAST_TABLE, NOWHERE, "–"),
        (StageTieBreak.HEAD_TO_HEAD, None, "–"),
        (StageTieBreak.POINTS_SHARE, Fraction(5, 6), "5/6"),
        (StageTieBreak.LOTS, 255, "00000000"),
    ],
)
def test_figures_are_written_for_people(tie_break: StageTieBreak, figure: object, text: str) -> None:
    assert TIE_BREAKS[tie_break].figure_text(figure) == text  # type: ignore[arg-type]


def test_a_sentence_can_be_said_in_another_language() -> None:
    german = {
        "{above} has {more}, {below} {less}": "{above} hat {more}, {below} {less}",
        "{points} points": "{points} Punkte",
    }
    above, below, *_ = stage_ranking(stage(DUELS, table(1, "ab")))
    sentence = between(above, below)
    assert sentence.translated(lambda template: german.get(template, template)) == "A hat 2 Punkte, B 0"
    assert Message.from_json(sentence.as_json()) == sentence


@given(stages())
def test_every_two_neighbours_have_a_sentence_that_is_true(played: StageResults) -> None:
    rows = stage_ranking(played)
    for above, below in pairwise(rows):
        sentence = str(between(above, below))
        assert above.participant.name in sentence
        assert below.participant.name in sentence
        separation = below.separation
        if separation is None or separation.by is not None:
            assert f"have {counted(above.points)}" in sentence
            assert above.points == below.points
        if separation is None:
            assert f"both have rank {above.rank}" in sentence
            assert above.rank == below.rank
        else:
            assert above.rank < below.rank
            assert separation.above > separation.below  # type: ignore[operator]
            for meeting in separation.met:
                tables = [one for one in played.tables if one.round_number == meeting.round_number]
                assert any(
                    {above.participant.player_id, below.participant.player_id} <= set(one.players) for one in tables
                )


@given(stages())
def test_the_sentences_of_a_row_add_up_to_its_points(played: StageResults) -> None:
    for row in stage_ranking(played):
        sentences = explain_row(row)
        parts = [sentence.values["points"] for sentence in sentences[1:] if "points" in sentence.values]
        assert sum(map(amount, parts)) == amount(sentences[0].values["points"]) == row.points


def amount(points: object) -> Fraction:
    """The number that a sentence writes."""
    words = str(points).removesuffix("s").removesuffix(" point").split()
    return sum(map(Fraction, words), Fraction(0))


def test_a_game_that_all_share_separates_nobody() -> None:
    rows = stage_ranking(stage(rules(StageTieBreak.WINS), TableResult(1, tuple("abc"), (game(1, 1, 1),))))
    assert {row.rank for row in rows} == {1}
