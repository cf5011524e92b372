import pytest

from engine.rating.plackett_luce import rate
from engine.rating.rating import SIGMA, Rating, is_provisional


def test_the_interval_is_196_sigma_to_both_sides() -> None:
    assert Rating(25.0, 5.0).interval == pytest.approx((25.0, 15.2, 34.8))


def test_a_newcomer_is_provisional_until_half_of_the_variance_is_gone() -> None:
    assert Rating().provisional
    assert is_provisional(SIGMA * 0.71)
    assert not is_provisional(SIGMA * 0.70)


def test_about_twenty_games_of_four_end_the_provisional_time() -> None:
    states, games = [(25.0, SIGMA)] * 4, 0
    while is_provisional(states[0][1]):
        states, games = rate(states, [1 + (seat + games) % 4 for seat in range(4)]), games + 1
    assert 15 <= games <= 25


def test_a_game_whose_end_was_certain_leaves_players_a_little_less_known() -> None:
    for mu, sigma in rate([(45.0, 2.0), (10.0, 2.0)], [1, 2]):
        assert 2.0 < sigma < 2.01
        assert mu == pytest.approx(45.0, abs=0.01) or mu == pytest.approx(10.0, abs=0.01)


def test_the_uncertainty_among_equals_levels_off_at_about_one_and_a_half() -> None:
    states = [(25.0, SIGMA)] * 4
    for game in range(3000):
        seats = [(seat + game) % 4 for seat in range(4)]
        states = rate(states, [1 + seat if game % 2 else 4 - seat for seat in seats])
    assert all(1.4 < sigma < 1.8 for _, sigma in states)
