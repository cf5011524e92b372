from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.rating.plackett_luce import rate
from engine.rating.rating import MU, SIGMA
from engine.rating.shared_places import MOST_SHARING
from engine.rating.waves import rate_games
from tests.engine.rating.strict_orders import State, mean_by_openskill, strict_orders

beliefs = st.tuples(st.floats(-10, 60), st.floats(0.3, 12))
NEWCOMER = (MU, SIGMA)


def ranks_of(places: Sequence[int]) -> list[int]:
    """Ranks like 1, 2, 2, 4."""
    return [1 + sum(other < place for other in places) for place in places]


@st.composite
def shared_ranks(draw: st.DrawFn, most: int = 8) -> list[int]:
    """The ranks of two or more seats in any order, most of them shared."""
    seats = draw(st.integers(2, most))
    return ranks_of([draw(st.integers(1, seats // 2 + 1)) for _ in range(seats)])


@st.composite
def shared_game(draw: st.DrawFn, most: int = 8) -> tuple[list[State], list[int]]:
    """Ranks, and what is believed of the seats."""
    ranks = draw(shared_ranks(most))
    return [draw(beliefs) for _ in ranks], ranks


def test_two_who_share_a_place_had_two_orders() -> None:
    assert sorted(strict_orders([2, 1, 2])) == [[2, 1, 3], [3, 1, 2]]


@settings(deadline=None)
@given(shared_game(most=6))
def test_a_shared_place_is_the_mean_over_its_strict_orders(
    game: tuple[list[State], list[int]],
) -> None:
    states, ranks = game
    for ours, mean in zip(rate(states, ranks), mean_by_openskill(states, ranks), strict=True):
        assert ours == pytest.approx(mean, rel=0, abs=1e-9)


def test_seven_on_one_place_are_the_mean_over_5040_orders() -> None:
    states = [(MU + 3 * seat, SIGMA / (1 + seat)) for seat in range(7)]
    for ours, mean in zip(rate(states, [1] * 7), mean_by_openskill(states, [1] * 7), strict=True):
        assert ours == pytest.approx(mean, rel=0, abs=1e-9)


def test_the_second_place_shared_by_two_newcomers_is_worth_more_than_the_fourth() -> None:
    means = [mu for mu, _ in rate([NEWCOMER] * 5, [1, 2, 2, 4, 5])]
    assert means == pytest.approx([27.6668, 26.2779, 26.2779, 24.0555, 20.7220], abs=1e-4)


@given(shared_ranks())
def test_newcomers_are_rated_by_their_places(ranks: list[int]) -> None:
    """Alike to the last digit on the same place, and lower on each place further down."""
    states = rate([NEWCOMER] * len(ranks), ranks)
    by_place = dict(sorted(zip(ranks, states, strict=True)))
    assert [by_place[rank] for rank in ranks] == states
    assert all(better > worse for (better, _), (worse, _) in pairwise(by_place.values()))


@given(shared_game(), st.randoms(use_true_random=False))
def test_no_seat_is_better_than_another(
    game: tuple[list[State], list[int]], chance: object
) -> None:
    states, ranks = game
    seats = list(range(len(ranks)))
    chance.shuffle(seats)  # type: ignore[attr-defined]
    moved = rate([states[seat] for seat in seats], [ranks[seat] for seat in seats])
    before = rate(states, ranks)
    for seat, after in zip(seats, moved, strict=True):
        assert after == pytest.approx(before[seat], rel=0, abs=1e-9)


@given(beliefs, beliefs, st.integers(2, 7))
def test_equals_who_share_a_place_stay_equals_to_the_last_digit(
    equal: State, other: State, seats: int
) -> None:
    after = rate([equal, other, *[equal] * (seats - 1)], [1] * (seats + 1))
    assert len({after[0], *after[2:]}) == 1


def test_a_game_with_a_shared_place_is_the_same_alone_and_in_a_wide_wave() -> None:
    games = [(ranks_of([seat % (1 + game % 5) for seat in range(5)])) for game in range(40)]
    players = range(5 * len(games))
    history = rate_games([5] * len(games), players, [rank for ranks in games for rank in ranks], {})
    alone = [state for ranks in games for state in rate([NEWCOMER] * 5, ranks)]
    assert list(zip(history.mu, history.sigma, strict=True)) == alone


def test_more_than_can_be_computed_are_refused() -> None:
    many = [NEWCOMER] * (MOST_SHARING + 1)
    with pytest.raises(ValueError, match="at most 16 can share a place, not 17"):
        rate(many, [1] * len(many))
    with pytest.raises(ValueError, match="at most 16 can share a place, not 17"):
        rate_games([len(many)] * 2, range(2 * len(many)), [1] * 2 * len(many), {})
