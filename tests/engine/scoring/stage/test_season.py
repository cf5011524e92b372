"""A stage that isn't adjusted, with the tie-breaks of a season, finds the winners whom the season's
table finds."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.scoring.points import placement
from engine.scoring.stage.ranking import stage_ranking
from engine.scoring.stage.reasons import between, explain_row
from engine.scoring.stage.results import GameResult, StageParticipant, StageResults, TableResult
from engine.scoring.stage.rules import StageRules, StageScoring, StageTieBreak
from engine.scoring.standings import Criterion, table
from engine.scoring.tally import Tally, tally_of_game

SEASON = (Criterion.POINTS, Criterion.WINS, Criterion.BEST_GAME)
STAGE = (StageTieBreak.GAMES_WON, StageTieBreak.BEST_GAME)
IDS = [f"p{number}" for number in range(7)]


def evening(scoring: StageScoring, random: Random) -> StageResults:
    """Three rounds of seven, at a table of four and one of three."""
    tables = []
    for number in (1, 2, 3):
        order = random.sample(IDS, len(IDS))
        tables += [
            _table(number, tuple(order[:4]), random),
            _table(number, tuple(order[4:]), random),
        ]
    rules = StageRules(scoring, 4, STAGE, "seed", adjusted=False)
    return StageResults(rules, tuple([StageParticipant(id, id) for id in IDS]), tuple(tables))


def _table(number: int, players: tuple[str, ...], random: Random) -> TableResult:
    strengths = [random.randint(0, len(players)) for _ in players]
    rank = tuple([1 + sum(other > own for other in strengths) for own in strengths])
    dice = tuple([random.randint(0, 5 * len(players)) for _ in players])
    return TableResult(number, players, (GameResult(rank, dice),))


def season_ranks(results: StageResults) -> dict[str, int]:
    """The ranks that the same games give in the table of a season."""
    tallies = dict.fromkeys(IDS, Tally())
    for played in results.tables:
        for game in played.games:
            by_dice = results.rules.scoring == StageScoring.CNTDICE
            points = game.cntdice if by_dice and game.cntdice else placement(game.rank)
            for player, rank, brought in zip(played.players, game.rank, points, strict=True):
                tallies[player] += tally_of_game(rank, brought)
    return {row.player: row.rank for row in table(tallies, SEASON)}


@pytest.mark.parametrize("scoring", [StageScoring.PLACEMENT, StageScoring.CNTDICE])
@given(random=st.randoms(use_true_random=False))
def test_event_and_season_rank_everybody_alike(scoring: StageScoring, random: Random) -> None:
    results = evening(scoring, random)
    rows = stage_ranking(results)
    assert {row.participant.player_id: row.rank for row in rows} == season_ranks(results)


def test_a_table_counts_as_it_is() -> None:
    short = TableResult(1, ("a", "b", "c"), (GameResult((1, 2, 3)),))
    people = tuple([StageParticipant(id, id.upper()) for id in "abc"])
    rules = StageRules(
        StageScoring.PLACEMENT, 4, (StageTieBreak.POINTS_SHARE,), "seed", adjusted=False
    )
    first, *_ = stage_ranking(StageResults(rules, people, (short,)))
    assert list(map(str, explain_row(first))) == [
        "A has 2 points and rank 1",
        "round 1: place 1 of 3, 2 points",
        "share of the points: 1",
    ]


def test_of_two_who_are_level_the_wins_alone_decide() -> None:
    rules = StageRules(StageScoring.PLACEMENT, 4, STAGE, "seed", adjusted=False)
    people = tuple([StageParticipant(id, id.upper()) for id in "abcdefg"])
    tables = (
        TableResult(1, tuple("abcd"), (GameResult((1, 2, 3, 4)),)),
        TableResult(1, tuple("efg"), (GameResult((1, 2, 3)),)),
        TableResult(2, tuple("abe"), (GameResult((3, 2, 1)),)),
    )
    rows = stage_ranking(StageResults(rules, people, tables))
    assert [row.participant.name for row in rows[:3]] == ["E", "A", "B"]
    reasons = [str(between(above, below)) for above, below in pairwise(rows[:3])]
    assert reasons == ["E has 4 points, A 3", "A and B have 3 points; A won more games: 1, B 0"]
