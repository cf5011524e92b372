import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.analysis.belief import FITTED, PLAIN
from engine.analysis.game import Analysis, analyse, options
from engine.bluff.track import BID, BIDS, FACES
from engine.illegal import Illegal
from engine.record.record import Record, read
from tests.engine.analysis.build import of, record
from tests.engine.record.simulated import random_game

SEASON = Path(__file__).parents[2] / "golden" / "herbstliga-2026.jsonl.gz"
weights = st.sampled_from([PLAIN, FITTED])


def season(every: int) -> list[Record]:
    lines = gzip.decompress(SEASON.read_bytes()).splitlines()[::every]
    return [game for game in map(read, lines) if not isinstance(game, Illegal)]


def figures(analysis: Analysis, seat: int) -> list[object]:
    """All that was said of a seat, apart from what the dice really were."""
    return [
        (decision.made, decision.challenge, decision.best, decision.cost, decision.supported)
        for played in analysis.rounds
        for decision in played.decisions
        if decision.seat == seat
    ]


@pytest.mark.parametrize("weight", [PLAIN, FITTED])
def test_a_season_is_analysed_game_by_game(weight: float) -> None:
    games = season(every=9)
    assert len(games) == 20
    for game in games:
        analysis = analyse(game, weight)
        assert len(analysis.rounds) == len(game.rounds)
        decided = [decision for played in analysis.rounds for decision in played.decisions]
        assert all(0 <= decision.made.chance <= 1 for decision in decided)
        assert all((decision.cost is None) == (decision.known == "public") for decision in decided)
        costs = [costly.decision.cost or 0 for costly in analysis.costliest()]
        assert costs == sorted(
            [decision.cost for decision in decided if decision.cost], reverse=True
        )
        assert all(cost > 0 for cost in costs)
        assert json.loads(json.dumps(analysis.as_json())) == analysis.as_json()


def test_bids_foretell_a_challenged_bid_better_than_fair_dice() -> None:
    def surprise(weight: float) -> float:
        """Mean squared error of the challengers' chances."""
        stated = [
            (decision.made.chance, decision.held)
            for game in season(every=3)
            for played in analyse(game, weight).rounds
            for decision in played.decisions
            if decision.challenged and decision.known == "own" and decision.held is not None
        ]
        return sum((chance - held) ** 2 for chance, held in stated) / len(stated)

    assert surprise(FITTED) < surprise(PLAIN)


@settings(max_examples=40)
@given(st.integers(0, 10_000), weights)
def test_any_legal_game_can_be_analysed(seed: int, weight: float) -> None:
    game = of(random_game(seed))
    analysis = analyse(game, weight)
    assert len(analysis.rounds) == len(game.rounds)
    assert all(costly.decision.cost for costly in analysis.costliest())
    luck = analysis.luck()
    assert luck is None or len(luck) == len(game.seats)


hands = st.text(FACES, min_size=3, max_size=3)


@given(hands, hands, hands, hands, weights)
def test_hidden_dice_never_change_what_is_said_of_an_opponents_decision(
    own: str, one: str, two: str, other: str, weight: float
) -> None:
    rounds = [
        {"dealt": [own, *hidden], "moves": ["1x4", "2x4", "3x4", "4x*", "5x*", "6x*", "!"]}
        for hidden in ((one, two), (other, one))
    ]
    first, second = (analyse(record(played, dice=3, seats=3), weight) for played in rounds)
    assert figures(first, 0) == figures(second, 0)
    assert len(figures(first, 0)) == 3


def test_an_analysis_as_json() -> None:
    answer = analyse(record({"dealt": ["3", "2"], "moves": ["1x4", "1x5", "!"]}, dice=1)).as_json()
    assert {key: answer[key] for key in ("id", "game", "seats", "weight")} == {
        "id": "evening-1",
        "game": "bluff",
        "seats": ["player 0", "player 1"],
        "weight": 0,
    }
    assert answer["costliest"] == [
        {"round": 0, "move": 1, "seat": 1, "cost": 0.666667},
        {"round": 0, "move": 0, "seat": 0, "cost": 0.333333},
    ]
    assert answer["luck"] == [{"luck": 0, "variance": 0}] * 2
    assert isinstance(answer["cannot_tell"], dict)
    assert set(answer["cannot_tell"]) == {"decisions", "luck"}


def test_every_option_of_a_moment_the_challenge_first() -> None:
    game = record({"dealt": ["4", "2"], "moves": ["1x4", "!"]}, dice=1)
    challenge, first, *_, last = options(game, 0, 1)
    assert challenge == analyse(game).rounds[0].decisions[1].made
    assert (first.move, last.move) == (BID["1x5"], BID["40x5"])
    assert len(options(game, 0, 0)) == BIDS
    assert options(game, 0, 2) == []
    with pytest.raises(IndexError):
        options(game, 0, 3)
