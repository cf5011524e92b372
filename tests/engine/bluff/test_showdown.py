import pytest

from engine.bluff.ruleset import Exact, Ruleset
from engine.bluff.showdown import clockwise, losses, possible_winners

FIVE = (5, 5, 5, 5)


def test_b8_example_1_ten_2s_challenged_twelve_lie_there_and_the_challenger_loses_two() -> None:
    assert losses(Ruleset(), FIVE, bidder=0, challenger=1, bid=10, count=8 + 4) == (0, 2, 0, 0)


def test_b9_example_2_eight_stars_challenged_eight_lie_there_and_all_but_the_bidder_lose_one() -> (
    None
):
    assert losses(Ruleset(), FIVE, bidder=2, challenger=3, bid=8, count=8) == (1, 1, 0, 1)


def test_b8_the_bidder_loses_the_difference_when_the_count_is_below() -> None:
    assert losses(Ruleset(), FIVE, bidder=2, challenger=3, bid=8, count=5) == (0, 0, 3, 0)


def test_b8_nobody_loses_more_dice_than_they_own() -> None:
    assert losses(Ruleset(), (2, 1), bidder=0, challenger=1, bid=9, count=1) == (2, 0)
    assert losses(Ruleset(), (2, 1), bidder=0, challenger=1, bid=1, count=3) == (0, 1)


@pytest.mark.parametrize(
    ("exact", "owned", "lost"),
    [
        ("all", (1, 5, 1, 1, 0), (1, 0, 1, 1, 0)),
        ("challenger", (1, 4, 1, 1, 0), (0, 0, 1, 0, 0)),
        ("protected", (2, 4, 1, 1, 0), (1, 0, 1, 0, 0)),
        ("giveaway", (1, 4, 1, 1, 0), (0, -1, 1, 0, 0)),
        ("giveaway", (1, 5, 1, 1, 0), (0, 0, 1, 0, 0)),
    ],
)
def test_b9_exact_hit(exact: Exact, owned: tuple[int, ...], lost: tuple[int, ...]) -> None:
    assert losses(Ruleset(exact=exact), owned, bidder=1, challenger=2, bid=3, count=3) == lost


def test_b9_giveaway_knows_the_starting_number_of_the_ruleset() -> None:
    rules = Ruleset(exact="giveaway", dice=3)
    assert losses(rules, (3, 3), bidder=0, challenger=1, bid=2, count=2) == (0, 1)


def test_b6_turns_go_clockwise_over_the_seats_that_own_dice() -> None:
    assert clockwise((1, 0, 0, 2, 1)) == (3, 3, 3, 4, 0)
    assert clockwise((0, 2, 0)) == (1, 1, 1)


def test_b10_the_winner_sits_next_to_a_seat_that_lost_several_dice() -> None:
    assert possible_winners(Ruleset(), FIVE, (0, 3, 0, 0)) == (0, 2)


def test_b10_the_winner_of_an_exact_hit_is_the_seat_that_lost_nothing() -> None:
    assert possible_winners(Ruleset(), FIVE, (1, 1, 0, 1)) == (2,)


def test_b10_between_two_seats_the_other_one_won() -> None:
    assert possible_winners(Ruleset(), (5, 0, 1), (0, 0, 1)) == (0,)


@pytest.mark.parametrize(
    ("exact", "lost"),
    [
        ("all", (0, 0, 0, 0)),
        ("all", (6, 0, 0, 0)),
        ("all", (1, 2, 0, 0)),
        ("all", (1, 1, 0, 0)),
        ("all", (1, 1, 1, 1)),
        ("all", (1, -1, 0, 0)),
        ("all", (-1, 0, 0, 0)),
        ("challenger", (1, 1, 1, 0)),
        ("protected", (1, 1, 0, 0)),
        ("giveaway", (-1, 1, 0, 0)),
        ("giveaway", (0, 2, -1, 0)),
    ],
)
def test_losses_that_no_bet_can_cause_have_no_winner(exact: Exact, lost: tuple[int, ...]) -> None:
    assert possible_winners(Ruleset(exact=exact), FIVE, lost) == ()


def test_a_die_given_away_goes_from_the_challenger_to_the_bidder_before_it() -> None:
    rules = Ruleset(exact="giveaway")
    assert possible_winners(rules, (4, 5, 5), (-1, 1, 0)) == (0,)
    assert possible_winners(rules, (4, 5, 5), (-1, 0, 1)) == ()
