"""What challenges are worth, by the rulings on losses."""

import pytest

from engine.bluff.ruleset import Ruleset
from engine.players.stakes import expected, shares, worth_of_challenge, worth_showing
from tests.engine.players.views import view


def test_the_bidder_loses_what_is_missing_and_the_challenger_what_is_too_much() -> None:
    after = shares(Ruleset(), (2, 3), 0, 1, 0)
    assert after == pytest.approx((0, 1 / 4, 2 / 4, 2 / 4, 2 / 3, 1))


@pytest.mark.parametrize(
    ("exact", "share"),
    [("all", 2 / 4), ("challenger", 2 / 6), ("protected", 2 / 6), ("giveaway", 3 / 7)],
)
def test_an_exact_hit_follows_the_ruleset(exact: str, share: float) -> None:
    after = shares(Ruleset(exact=exact), (2, 3, 1, 1), 0, 1, 0)  # type: ignore[arg-type]
    assert after[2] == pytest.approx(share)


def test_the_expected_share_keeps_to_the_ends_of_what_can_be_lost() -> None:
    assert expected((0.0, 0.5, 1.0), -2, (0.25,) * 4) == 0.25 * 0.5
    assert expected((0.0, 0.5, 1.0), 1, (0.25,) * 4) == 0.25 * (0.5 + 3)


def test_a_challenge_of_a_bid_that_can_not_hold_costs_the_bidder_all_that_is_missing() -> None:
    assert worth_of_challenge(view("11111", "0:9x2"), (1.0,)) == 1
    assert worth_of_challenge(view("11111", "0:1x2"), (0.0, 0.0, 1.0)) == 4 / 9


def test_all_matching_dice_are_laid_out_if_that_leaves_one_to_reroll() -> None:
    assert worth_showing(view("224*", reroll=True), 2) == "22*"
    assert worth_showing(view("224*", reroll=True), 6) == "*"
    assert worth_showing(view("224*", reroll=True), 5) == "*"
    assert worth_showing(view("22**", reroll=True), 2) == ""
    assert worth_showing(view("224*"), 2) == ""
