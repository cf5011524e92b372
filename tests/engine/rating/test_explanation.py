import math

import pytest

from engine.rating.explanation import explain
from engine.rating.plackett_luce import BETA, TAU, rate

STATES = [(31.0, 4.0), (25.0, 8.0), (20.0, 6.0), (26.0, 3.0)]
RANKS = [2, 1, 4, 2]


def test_what_is_explained_is_what_is_rated() -> None:
    for (mu, sigma), seat, after in zip(STATES, explain(STATES, RANKS), rate(STATES, RANKS), strict=True):
        assert seat.after == after == (mu + seat.omega, after[1])
        assert after[1] == pytest.approx(math.sqrt((sigma**2 + TAU**2) * (1 - seat.delta)))


def test_somebody_comes_first_and_the_expected_ranks_add_up() -> None:
    seats = explain(STATES, RANKS)
    assert sum(seat.first for seat in seats) == pytest.approx(1)
    assert sum(seat.expected_rank for seat in seats) == pytest.approx(1 + 2 + 3 + 4)
    assert seats[0].expected_rank < seats[3].expected_rank < seats[1].expected_rank < seats[2].expected_rank


def test_equals_have_equal_chances() -> None:
    one, two = explain([(25.0, 5.0), (25.0, 5.0)], [1, 2])
    assert (one.first, one.expected_rank) == (two.first, two.expected_rank) == (0.5, 1.5)
    assert one.chances == (0.5, None)
    assert two.chances == (0.5, 1.0)


def test_each_place_is_taken_by_one_of_those_still_in() -> None:
    seats = explain(STATES, RANKS)
    for place, rank in enumerate(RANKS):
        chances = [seat.chances[place] for seat in seats]
        assert [chance is not None for chance in chances] == [own >= rank for own in RANKS]
        assert sum(chance for chance in chances if chance is not None) == pytest.approx(1)


def test_mu_moves_by_what_came_less_what_was_expected() -> None:
    c = math.sqrt(sum(sigma**2 + TAU**2 + BETA**2 for _, sigma in STATES))
    sharing = [RANKS.count(rank) for rank in RANKS]
    for number, seat in enumerate(explain(STATES, RANKS)):
        expected = sum((chance or 0) / n for chance, n in zip(seat.chances, sharing, strict=True))
        variance = STATES[number][1] ** 2 + TAU**2
        assert seat.omega == pytest.approx(variance / c * (1 / sharing[number] - expected))


def test_a_game_has_two_seats_or_more() -> None:
    with pytest.raises(ValueError, match="two or more"):
        explain(STATES[:1], [1])
