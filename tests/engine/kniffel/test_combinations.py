"""Rulings K1 to K4: what can be announced and what dice score."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kniffel.combinations import (
    ANNOUNCEABLE,
    COMBINATIONS,
    Announcement,
    Dice,
    Ruleset,
    can_be_announced,
    is_true,
    score,
)

FIVE_DICE = st.tuples(*[st.integers(1, 6)] * 5)
NAMES = st.sampled_from(COMBINATIONS)


def test_k1_thirteen_combinations() -> None:
    assert len(set(COMBINATIONS)) == 13
    assert set(ANNOUNCEABLE) == set(COMBINATIONS)


@pytest.mark.parametrize(
    ("combination", "points"),
    [
        ("ones", {1, 2, 3, 4, 5}),
        ("fours", {4, 8, 12, 16, 20}),
        ("sixes", {6, 12, 18, 24, 30}),
        ("three", set(range(5, 31))),
        ("four", set(range(5, 31))),
        ("chance", set(range(5, 31))),
        ("full", {25}),
        ("small", {30}),
        ("large", {40}),
        ("kniffel", {50}),
    ],
)
def test_k2_points_that_can_be_announced(combination: str, points: set[int]) -> None:
    said = {n for n in range(-5, 61) if can_be_announced(Announcement(combination, n), Ruleset())}
    assert said == points


@pytest.mark.parametrize("combination", COMBINATIONS)
def test_k2_zero_only_by_the_flag(combination: str) -> None:
    zero = Announcement(combination, 0)
    assert not can_be_announced(zero, Ruleset())
    assert can_be_announced(zero, Ruleset(allow_zero=True))


def test_k2_no_fourteenth_combination() -> None:
    assert not can_be_announced(Announcement("yahtzee", 50), Ruleset())
    assert not can_be_announced(Announcement("yahtzee", 0), Ruleset(allow_zero=True))


@pytest.mark.parametrize(
    ("combination", "dice", "points"),
    [
        ("fours", (4, 4, 4, 2, 5), 12),  # "Drei 4er!"
        ("twos", (4, 4, 4, 2, 5), 2),  # "Ein 2er"
        ("three", (4, 4, 4, 2, 5), 19),  # "Dreierpasch mit 19 Punkten"
        ("full", (4, 4, 4, 5, 5), 25),
        ("small", (2, 3, 4, 5, 5), 30),  # 2-3-4-5, the fifth die is ignored
        ("small", (2, 3, 4, 5, 1), 30),
        ("large", (1, 2, 3, 4, 5), 40),
        ("large", (2, 3, 4, 5, 6), 40),
        ("kniffel", (4, 4, 4, 4, 4), 50),
    ],
)
def test_k4_worked_examples_of_the_rule_text(combination: str, dice: Dice, points: int) -> None:
    assert score(combination, dice) == points
    assert is_true(Announcement(combination, points), dice, Ruleset())


@pytest.mark.parametrize(
    ("combination", "dice", "points"),
    [
        ("three", (4, 4, 2, 2, 5), 0),
        ("three", (4, 4, 4, 4, 5), 21),
        ("four", (4, 4, 4, 2, 5), 0),
        ("four", (4, 4, 4, 4, 5), 21),
        ("four", (6, 6, 6, 6, 6), 30),
        ("full", (4, 4, 4, 4, 5), 0),
        ("full", (4, 4, 5, 5, 6), 0),
        ("full", (4, 4, 4, 5, 6), 0),
        ("small", (3, 4, 5, 6, 3), 30),
        ("small", (1, 2, 3, 5, 6), 0),
        ("large", (1, 2, 3, 4, 6), 0),
        ("large", (1, 3, 4, 5, 6), 0),
        ("kniffel", (4, 4, 4, 4, 5), 0),
        ("chance", (1, 2, 4, 5, 6), 18),
        ("sixes", (1, 2, 3, 4, 5), 0),
    ],
)
def test_k4_hits_and_misses(combination: str, dice: Dice, points: int) -> None:
    assert score(combination, dice) == points


def test_k4_five_alike_are_no_full_house_and_no_joker() -> None:
    alike = (4, 4, 4, 4, 4)
    assert [score(name, alike) for name in ("full", "small", "large")] == [0, 0, 0]


@given(FIVE_DICE, NAMES, st.randoms(use_true_random=False))
def test_k4_the_order_of_the_dice_has_no_meaning(dice: Dice, name: str, random: Random) -> None:
    shuffled = list(dice)
    random.shuffle(shuffled)
    assert score(name, tuple(shuffled)) == score(name, dice)


@given(FIVE_DICE, NAMES)
def test_k2_k4_whatever_dice_score_can_be_announced_and_is_true(dice: Dice, name: str) -> None:
    said = Announcement(name, score(name, dice))
    assert can_be_announced(said, Ruleset(allow_zero=True))
    assert can_be_announced(said, Ruleset()) == (said.points > 0)
    assert is_true(said, dice, Ruleset())


@given(FIVE_DICE, NAMES, st.data())
def test_k3_exact_is_one_truth_and_at_least_allows_less(
    dice: Dice, name: str, data: st.DataObject
) -> None:
    said = Announcement(name, data.draw(st.sampled_from(sorted(ANNOUNCEABLE[name]))))
    scored = score(name, dice)
    assert is_true(said, dice, Ruleset("exact")) == (scored == said.points)
    assert is_true(said, dice, Ruleset("at_least")) == (scored >= said.points)


def test_k3_understating_is_a_lie_unless_at_least() -> None:
    two_fours = Announcement("fours", 8)
    dice = (4, 4, 4, 2, 5)
    assert not is_true(two_fours, dice, Ruleset())
    assert is_true(two_fours, dice, Ruleset(truth="at_least"))
    assert not is_true(Announcement("fours", 16), dice, Ruleset(truth="at_least"))
