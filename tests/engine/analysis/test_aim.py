from itertools import product

import pytest

from engine.analysis.aim import ANNOUNCEMENTS, reached, rolls_of
from engine.kniffel.combinations import Announcement, Ruleset, Truth, is_true


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
    assert reached(Announcement("sixes", 30), rolls, "exact") == pytest.approx((1 - (5 / 6) ** rolls) ** 5)


def test_a_large_straight_in_two_rolls_by_hand() -> None:
    """Keep the longest part of 2-3-4-5, filled up by 1 or 6: known from the free game, where two rolls lock nothing."""
    assert reached(Announcement("large", 40), 2, "exact") == pytest.approx(0.1297, abs=5e-5)


def test_k11_dice_under_the_first_cup_are_locked_so_a_kniffel_is_rarer_than_with_free_choice() -> None:
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
