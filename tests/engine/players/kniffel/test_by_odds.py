"""The player of Lügen-Kniffel that goes by the odds."""

from collections import Counter
from itertools import combinations, product
from random import Random
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.analysis.aim import reached
from engine.kniffel.combinations import (
    ANNOUNCEABLE,
    COMBINATIONS,
    FACES,
    Announcement,
    Ruleset,
    can_be_announced,
    score,
)
from engine.players.chooser import Wavering
from engine.players.kniffel.at_random import TurnsAtRandom
from engine.players.kniffel.by_odds import TurnsByOdds, par, worth_of_doubt
from engine.players.kniffel.view import TurnMove, TurnPlayer, TurnView
from tests.engine.players.kniffel.views import random_sheet, sheet, view, views

PLAYER = TurnsByOdds()
PLAYERS: list[TurnPlayer] = [
    PLAYER,
    TurnsAtRandom(Random(1)),
    Wavering(PLAYER, TurnsAtRandom(Random(2)), 0.5, Random(3)),
]


def full_but(*open_fields: str) -> dict[str, int]:
    return {name: max(ANNOUNCEABLE[name]) for name in COMBINATIONS if name not in open_fields}


def legal(move: TurnMove, seen: TurnView) -> bool:
    """By the rulings themselves, without the code under test. Rulings K2, K5, K7, K11."""
    if seen.announcement is not None:
        return isinstance(move, bool)
    if isinstance(move, Announcement):
        return (
            can_be_announced(move, seen.rules)
            and not seen.sheets[seen.seat][move.combination].filled
        )
    assert isinstance(move, tuple)
    return (
        seen.rolls < 3 and len(move) < len(seen.rolled) and not Counter(move) - Counter(seen.rolled)
    )


@given(views)
def test_every_move_is_legal_wherever_it_is_asked(seen: TurnView) -> None:
    for player in PLAYERS:
        assert legal(player.choose(seen), seen)


@given(views)
def test_it_needs_no_dice_of_its_own_to_choose_the_same_again(seen: TurnView) -> None:
    assert PLAYER.choose(seen) == TurnsByOdds().choose(seen)


@pytest.mark.parametrize(
    ("dice", "said"),
    [
        ("23456", ("large", 40)),
        ("44444", ("kniffel", 50)),
        ("22255", ("full", 25)),
    ],
)
def test_it_announces_at_once_what_is_hard_to_better(dice: str, said: tuple[str, int]) -> None:
    assert PLAYER.choose(view(dice)) == said


@given(views)
def test_it_lies_only_where_no_truth_is_worth_more(seen: TurnView) -> None:
    move = PLAYER.choose(seen)
    if not isinstance(move, Announcement) or score(move.combination, seen.dice) == move.points:
        return
    trusted = reached(move, seen.rolls, "at_least") * move.points - par(move.combination)
    for combination in seen.open_fields:
        truth = Announcement(combination, score(combination, seen.dice))
        if can_be_announced(truth, seen.rules):
            assert truth.points - par(combination) <= trusted


def test_it_keeps_what_the_one_open_field_needs() -> None:
    assert PLAYER.choose(view("12266", sheet(**full_but("sixes")), sheet())) == (6, 6)
    assert PLAYER.choose(view("13466", sheet(**full_but("large")), sheet())) in [
        (1, 3, 4),
        (3, 4),
        (3, 4, 6),
    ]


def test_k11_it_counts_on_locked_dice_and_keeps_only_dice_just_rolled() -> None:
    assert PLAYER.choose(view("66>236", sheet(**full_but("sixes")), sheet(), rolls=2)) == (6,)
    assert PLAYER.choose(view("34>256", sheet(**full_but("large")), sheet(), rolls=2)) == (
        "large",
        40,
    )


def test_where_it_missed_everything_it_lies_where_that_is_credible() -> None:
    move = PLAYER.choose(
        view("233>46", sheet(**full_but("small", "large", "kniffel")), sheet(), rolls=3)
    )
    assert move == ("small", 30)


@pytest.mark.parametrize("rules", [Ruleset(), Ruleset(allow_zero=True)])
def test_k2_it_rather_lies_than_says_zero_allowed_or_not(rules: Ruleset) -> None:
    assert PLAYER.choose(
        view("233>46", sheet(**full_but("kniffel")), sheet(), rolls=3, rules=rules)
    ) == ("kniffel", 50)


@settings(max_examples=60)
@given(st.randoms(use_true_random=False))
def test_after_two_rolls_it_does_what_is_worth_most_over_all_third_rolls(rng: Random) -> None:
    dice, locked = rng.choices(FACES, k=5), rng.randint(2, 4)
    seen = view("", random_sheet(rng), sheet(), rolls=2)
    seen = seen._replace(locked=tuple(sorted(dice[:locked])), rolled=tuple(sorted(dice[locked:])))
    worths: dict[TurnMove, float] = {
        part: fmean(
            worth_at_end(seen, (*seen.locked, *part, *roll), 3)
            for roll in product(FACES, repeat=len(seen.rolled) - len(part))
        )
        for number in range(len(seen.rolled))
        for part in combinations(seen.rolled, number)
    }
    stop = worth_at_end(seen, seen.dice, 2)
    move = PLAYER.choose(seen)
    assert (stop if isinstance(move, Announcement) else worths[move]) == pytest.approx(
        max(stop, *worths.values())
    )


def worth_at_end(seen: TurnView, dice: tuple[int, ...], rolls: int) -> float:
    """Points that the best announcement brings beyond its field, true or as often believed as it
    could be true."""
    truths = [score(name, tuple(sorted(dice))) - par(name) for name in seen.open_fields]
    lies = [
        points * reached(Announcement(name, points), rolls, "at_least") - par(name)
        for name in seen.open_fields
        for points in ANNOUNCEABLE[name]
    ]
    return max(truths + lies)


def test_k9_where_a_strike_costs_nothing_it_doubts_whatever_may_be_a_lie() -> None:
    assert PLAYER.choose(view("", sheet(sixes=24), sheet(), said=("sixes", 12), rolls=3))


def test_k9_it_does_not_stake_points_that_a_second_strike_would_cross() -> None:
    own = sheet(sixes=24)
    own["sixes"].strike()
    assert not PLAYER.choose(view("", own, sheet(), said=("sixes", 12), rolls=3))
    assert PLAYER.choose(view("", own, sheet(), said=("sixes", 30), rolls=1)), (
        "five sixes at once: hardly true"
    )


def test_k11_the_fewer_rolls_the_less_it_believes() -> None:
    seen = view("", *[sheet()] * 4, said=("small", 30), rolls=1)
    assert PLAYER.choose(seen)
    assert not PLAYER.choose(seen._replace(rolls=3))


def test_what_it_adds_to_the_analysis_is_the_rollers_points_shared_and_the_field_used_up() -> None:
    said = Announcement("small", 30)
    odds = reached(said, 2, "at_least")
    open_field = view("", sheet(), sheet(), sheet(), said=said, rolls=2)
    assert worth_of_doubt(open_field, said) == pytest.approx(
        (1 - odds) * (30 + 30 / 2) - par("small")
    )
    noted = view("", sheet(small=30), sheet(), sheet(), said=said, rolls=2)
    assert worth_of_doubt(noted, said) == pytest.approx((1 - odds) * 30 / 2)


def test_an_open_field_is_worth_its_best_aim() -> None:
    assert par("kniffel") == pytest.approx(50 * reached(Announcement("kniffel", 50), 3, "exact"))
    assert par("sixes") == pytest.approx(12 * reached(Announcement("sixes", 12), 3, "at_least"))
