"""Results that can't be are named by their place in the stage file."""

from dataclasses import replace
from fractions import Fraction

import pytest

from engine.scoring.stage.results import (
    GameResult,
    RoundBye,
    StageParticipant,
    StageResults,
    TableResult,
    results_fault,
)
from engine.scoring.stage.rules import StageScoring, StageTieBreak
from tests.engine.scoring.stage.build import game, rules, stage, table

GOOD = stage(rules(), table(1, "abcd"), table(2, "abc"), byes=(RoundBye(2, "d"),))


def with_game(one: GameResult, scoring: StageScoring = StageScoring.PLACEMENT) -> StageResults:
    return stage(rules(scoring=scoring), table(1, "cd"), TableResult(1, ("a", "b"), (one,)))


@pytest.mark.parametrize(
    ("results", "path"),
    [
        (replace(GOOD, rules=rules(size=1)), "size"),
        (replace(GOOD, rules=rules(size=9)), "size"),
        (replace(GOOD, rules=rules(games=0)), "games"),
        (replace(GOOD, rules=rules(bye=Fraction(1, 11))), "bye"),
        (replace(GOOD, rules=rules(bye=Fraction(-1))), "bye"),
        (
            replace(GOOD, rules=rules(StageTieBreak.WINS, StageTieBreak.LOTS, StageTieBreak.WINS)),
            "tie_breaks[2]",
        ),
        (
            replace(GOOD, participants=(*GOOD.participants, StageParticipant("a", "Ana"))),
            "participants[4].id",
        ),
        (
            replace(GOOD, participants=(StageParticipant("a", "Ana", carried=Fraction(1, 9)),)),
            "participants[0].carried",
        ),
        (stage(rules(), TableResult(1, ("a",))), "rounds[0].tables[0].players"),
        (
            stage(rules(), table(1, "abcdefgh"), TableResult(1, tuple("ijklmnopq"))),
            "rounds[0].tables[1].players",
        ),
        (stage(rules(), table(3, "ab", "ab")), "rounds[2].tables[0].games"),
        (with_game(game(1, 3)), "rounds[0].tables[1].games[0].rank"),
        (with_game(game(0, 1)), "rounds[0].tables[1].games[0].rank"),
        (with_game(game(1, 2, 3)), "rounds[0].tables[1].games[0].rank"),
        (with_game(game(1, 2, cntdice=(10,))), "rounds[0].tables[1].games[0].cntdice"),
        (with_game(game(1, 2, cntdice=(11, 5))), "rounds[0].tables[1].games[0].cntdice"),
        (with_game(game(1, 2, totals=(200,))), "rounds[0].tables[1].games[0].totals"),
        (with_game(game(1, 2, totals=(376, 5))), "rounds[0].tables[1].games[0].totals"),
        (with_game(game(1, 2, totals=(200, -1))), "rounds[0].tables[1].games[0].totals"),
        (stage(rules(), table(1, "ab"), table(1, "ac")), "rounds[0]"),
        (stage(rules(), table(1, "aab"[1:]), TableResult(1, ("c", "c"))), "rounds[0]"),
        (stage(rules(), table(2, "ab"), byes=(RoundBye(2, "a"),)), "rounds[1]"),
    ],
)
def test_what_can_not_be_is_named_by_its_path(results: StageResults, path: str) -> None:
    fault = results_fault(results)
    assert fault is not None
    assert (fault.code, fault.path) == ("bad_stage", path)


def test_a_good_stage_has_no_fault() -> None:
    assert results_fault(GOOD) is None


@pytest.mark.parametrize("scoring", [StageScoring.CNTDICE, StageScoring.TOTALS])
def test_a_game_may_be_over_before_its_points_are_known(scoring: StageScoring) -> None:
    assert results_fault(stage(rules(scoring=scoring), table(1, "ab"))) is None
