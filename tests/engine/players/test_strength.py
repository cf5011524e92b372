"""Who is stronger: belief beats odds beats random, and nobody beats the duel; in Lügen-Kniffel odds
beats random.

Fixed seeds, intervals of 95 %.
"""

from typing import Any

import pytest

from engine.bluff.ruleset import Ruleset
from engine.kniffel import combinations as kniffel
from engine.players.match import Entrant, play_match
from engine.players.result import KindResult, MatchResult
from engine.record.bluff.kind import BLUFF
from engine.record.kind import AnyKind
from engine.record.kniffel.kind import KNIFFEL

PRINTED = Ruleset()


def rows(names: str, games: int, rules: Any = PRINTED, kind: AnyKind = BLUFF) -> list[KindResult]:
    entrants = []
    for i, text in enumerate(names.split()):
        name, _, strength = text.partition(":")
        entrants.append(Entrant(f"{name} {i}", name, float(strength or 1)))
    result = MatchResult(entrants)
    for played in play_match(entrants, games, 1, rules, kind):
        result.add(played)
    return list(result.of_kinds())


@pytest.mark.parametrize("reroll", [False, True])
@pytest.mark.parametrize(
    ("names", "games"),
    [
        ("belief odds", 150),
        ("odds random", 60),
        ("belief odds belief odds", 80),
        ("odds random odds random", 60),
        ("belief odds belief odds belief odds", 80),
        ("odds random odds random odds random", 60),
    ],
)
def test_the_better_player_wins_more_with_intervals_apart(
    names: str, games: int, reroll: bool
) -> None:
    better, worse = rows(names, games, Ruleset(reroll=reroll))
    assert better.share.low > worse.share.high
    assert better.rank.high < worse.rank.low
    assert better.score.low > worse.score.high


@pytest.mark.parametrize("names", ["belief belief:0.5", "belief:0.5 belief:0", "odds odds:0.5"])
def test_the_greater_strength_wins_more(names: str) -> None:
    stronger, weaker = rows(names, 100)
    assert stronger.share.low > weaker.share.high


@pytest.mark.parametrize("rules", [kniffel.Ruleset(), kniffel.Ruleset("at_least", allow_zero=True)])
@pytest.mark.parametrize(
    ("names", "games"),
    [
        ("odds random", 30),
        ("odds odds:0.5", 40),
        ("odds:0.5 odds:0", 40),
        ("odds random odds random", 20),
        ("odds random odds random odds random odds random", 15),
    ],
)
def test_the_better_player_of_luegen_kniffel_wins_more_with_intervals_apart(
    names: str, games: int, rules: kniffel.Ruleset
) -> None:
    better, worse = rows(names, games, rules, KNIFFEL)
    assert better.share.low > worse.share.high
    assert better.rank.high < worse.rank.low
    assert better.score.low > worse.score.high


@pytest.mark.parametrize("other", ["random", "odds", "belief", "duel:0.5"])
def test_at_one_die_each_the_duel_loses_to_nobody(other: str) -> None:
    duel, _ = rows(f"duel {other}", 1000, Ruleset(dice=1))
    assert duel.share.high >= 0.5
