from itertools import product

import pytest

from engine.analysis.aim import HANDS, KEEPS, parts, reached, rolls_of, worth_of_keeps
from engine.kniffel.combinations import ANNOUNCEABLE, Announcement, Ruleset, Truth, is_true

ANNOUNCEMENTS = [
    Announcement(name, points) for name, known in ANNOUNCEABLE.items() for points in {0, *known}
]


@pytest.mark.parametrize("truth", ["exact", "at_least"])
def test_one_roll_reaches_what_a_count_of_all_7776_rolls_says(truth: Truth) -> None:
    hands = list(product(range(1, 7), repeat=5))
    for said in (
        ("kniffel", 50),
        ("full", 25),
        ("small", 30),
        ("large", 40),
        ("fours", 12),
        ("three", 20),
        ("twos", 0),
    ):
        announcement = Announcement(*said)
        true = sum(is_true(announcement, hand, Ruleset(truth=truth)) for hand in hands)
        assert reached(announcement, 1, truth) == pytest.approx(true / len(hands))


@pytest.mark.parametrize("rolls", [1, 2, 3])
def test_five_sixes_come_when_each_die_shows_a_six_in_one_of_its_rolls(rolls: int) -> None:
    assert reached(Announcement("sixes", 30), rolls, "exact") == pytest.approx(
        (1 - (5 / 6) ** rolls) ** 5
    )


def test_a_large_straight_in_two_rolls_by_hand() -> None:
    """Keep the longest part of 2-3-4-5, filled up by 1 or 6: known from the free game, where two
    rolls lock nothing."""
    assert reached(Announcement("large", 40), 2, "exact") == pytest.approx(0.1297, abs=5e-5)


def test_k11_dice_under_the_first_cup_are_locked_so_a_kniffel_is_rarer_than_with_free_choice() -> (
    None
):
    """4.603 % is the well-known figure for three rolls in which any die may be rolled again."""
    chance = reached(Announcement("kniffel", 50), 3, "exact")
    assert 0.045 < chance < 0.04603


@pytest.mark.parametrize("truth", ["exact", "at_least"])
def test_more_rolls_never_hurt_and_k3_at_least_is_never_rarer_than_exact(truth: Truth) -> None:
    for said in ANNOUNCEMENTS:
        once, twice, thrice = (reached(said, rolls, truth) for rolls in (1, 2, 3))
        assert 0 <= once <= twice + 1e-12 <= thrice + 2e-12 <= 1 + 1e-9
        assert reached(said, 3, "exact") <= reached(said, 3, "at_least") + 1e-12


@pytest.mark.parametrize("dice", range(6))
def test_the_chances_of_all_rolls_add_up_to_1(dice: int) -> None:
    assert sum(rolls_of(dice).values()) == pytest.approx(1)


def test_k11_any_part_of_a_roll_may_stay_but_not_all_of_it() -> None:
    assert parts((2, 2, 5)) == ((), (2,), (2, 2), (2, 5), (5,))
    assert parts((6,)) == ((),)


def test_the_worth_of_keeping_is_the_mean_over_the_rolls_and_of_two_rolls_the_better_of_stopping_and_going_on() -> (
    None
):
    sums = [float(sum(hand)) for hand in HANDS]
    once, twice = worth_of_keeps([sums]), worth_of_keeps([sums, sums])
    assert once[KEEPS[(6, 6, 6)]] == pytest.approx(18 + 2 * 3.5)
    assert twice[KEEPS[(6, 6, 6, 6)]] == pytest.approx(24 + (3 * 3.5 + 4 + 5 + 6) / 6), (
        "below 4 it rolls again"
    )
    assert twice[KEEPS[(1, 1, 1)]] == pytest.approx(3 + mean_of_two_dice_with_another_roll())
    assert worth_of_keeps([[0.0] * len(HANDS), sums])[KEEPS[()]] > once[KEEPS[()]]


def mean_of_two_dice_with_another_roll() -> float:
    """Of two dice none or one stays for the next roll; the table goes on where that is more."""
    dice = list(product(range(1, 7), repeat=2))
    return sum(max(a + b, a + 3.5, b + 3.5, 7) for a, b in dice) / len(dice)
