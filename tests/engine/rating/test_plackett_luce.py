import math
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from engine.rating.plackett_luce import BETA, KAPPA, TAU, exp, rate, update
from engine.rating.rating import MU, SIGMA
from tests.engine.rating.strict_orders import by_openskill

beliefs = st.tuples(st.floats(-10, 60), st.floats(0.3, 12))


@st.composite
def one_game(draw: st.DrawFn) -> tuple[list[tuple[float, float]], list[int]]:
    """Two to eight seats, each on a place of its own."""
    states = draw(st.lists(beliefs, min_size=2, max_size=8))
    return states, draw(st.permutations(range(1, len(states) + 1)))


def test_the_constants_are_those_of_openskill() -> None:
    model = PlackettLuce()
    assert (model.mu, model.sigma, model.kappa) == (MU, SIGMA, KAPPA)
    assert (model.beta, model.tau) == pytest.approx((BETA, TAU), rel=1e-15)


@given(one_game())
def test_a_game_is_rated_as_openskill_does(
    game: tuple[list[tuple[float, float]], list[int]],
) -> None:
    states, ranks = game
    for ours, theirs in zip(rate(states, ranks), by_openskill(states, ranks), strict=True):
        assert ours == pytest.approx(theirs, rel=0, abs=1e-9)


def test_a_long_series_stays_with_openskill() -> None:
    ours = theirs = [(MU, SIGMA)] * 5
    for game in range(300):
        ranks = [[1, 2, 3, 4, 5], [2, 1, 3, 5, 4], [5, 3, 1, 2, 4], [3, 1, 2, 5, 4]][game % 4]
        ours, theirs = rate(ours, ranks), by_openskill(theirs, ranks)
    assert np.array(ours) == pytest.approx(np.array(theirs), rel=0, abs=1e-9)


def test_the_first_gains_the_last_loses_and_both_are_better_known() -> None:
    (first, surer), (middle, _), (last, _) = rate([(MU, SIGMA)] * 3, [1, 2, 3])
    assert first > middle > last
    assert first > MU > last
    assert surer < SIGMA


def test_an_upset_moves_more_than_what_was_expected() -> None:
    strong, weak = (30.0, 4.0), (20.0, 4.0)
    expected, upset = rate([strong, weak], [1, 2]), rate([strong, weak], [2, 1])
    assert upset[1][0] - weak[0] > expected[0][0] - strong[0] > 0


@pytest.mark.parametrize("seats", range(2, 9))
def test_a_game_is_rated_to_the_last_digit_alike_alone_and_among_others(seats: int) -> None:
    random = np.random.default_rng(seats)
    for games in range(1, 41):
        mu, sigma = random.normal(25, 8, (seats, games)), random.uniform(0.5, 9, (seats, games))
        ranks = random.integers(1, seats + 1, (seats, games))
        together = update(mu, sigma, ranks)
        for lane in range(games):
            alone = rate(
                list(zip(mu[:, lane], sigma[:, lane], strict=True)), ranks[:, lane].tolist()
            )
            assert list(zip(together.mu[:, lane], together.sigma[:, lane], strict=True)) == alone


def test_a_game_leaves_at_least_kappa_of_the_variance() -> None:
    unknown_last = [(MU, 1000.0)] + [(MU, 1.0)] * 7
    (_, sigma), *_ = rate(unknown_last, [8, 1, 2, 3, 4, 5, 6, 7])
    assert sigma**2 == pytest.approx(KAPPA * (1000.0**2 + TAU**2))


def test_the_last_digit_is_the_same_on_every_machine() -> None:
    # A game whose last digits differ as soon as the exponential is the processor's or the C
    # library's own.
    after = rate([(16.0, 4.0), (24.0, 7.0), (25.0, 1.0)], [1, 2, 3])
    assert [(mu.hex(), sigma.hex()) for mu, sigma in after] == [
        ("0x1.132f0347c9ff4p+4", "0x1.fe2c597c8d245p+1"),
        ("0x1.89b7d63da0b64p+4", "0x1.a1daf240da801p+2"),
        ("0x1.8e97f25e1dbe6p+4", "0x1.00d65fc942057p+0"),
    ]


def test_the_last_digit_of_a_shared_place_is_the_same_on_every_machine() -> None:
    after = rate([(16.0, 4.0), (24.0, 7.0), (25.0, 1.0)], [1, 2, 2])
    assert [(mu.hex(), sigma.hex()) for mu, sigma in after] == [
        ("0x1.132f0347c9ff4p+4", "0x1.fe2c597c8d245p+1"),
        ("0x1.65a473e1c87a4p+4", "0x1.a1daf240da801p+2"),
        ("0x1.8f55b4b963317p+4", "0x1.00d65fc942057p+0"),
    ]


@given(st.floats(-50, 50))
def test_the_exponential_is_right_to_two_units_in_the_last_place(x: float) -> None:
    assert float(exp(np.array([x]))[0]) == pytest.approx(
        math.exp(x), rel=2 * sys.float_info.epsilon, abs=0
    )


@pytest.mark.parametrize("seats", [0, 1])
def test_a_game_has_two_seats_or_more(seats: int) -> None:
    with pytest.raises(ValueError, match="two or more"):
        rate([(MU, SIGMA)] * seats, [1] * seats)


def test_every_seat_has_a_rank() -> None:
    with pytest.raises(ValueError, match="ranks"):
        rate([(MU, SIGMA)] * 3, [1, 2])


@pytest.mark.parametrize(
    "state", [(math.nan, 8.0), (-math.inf, 8.0), (25.0, math.inf), (25.0, 0.0), (25.0, -2.0)]
)
def test_what_is_no_rating_is_refused(state: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="finite"):
        rate([(MU, SIGMA), state], [1, 2])


@pytest.mark.parametrize(
    "states", [[(1e300, 1.0), (MU, 1.0)], [(-1e9, 1.0), (-1e9, 1.0)], [(MU, 1e200), (MU, 1.0)]]
)
def test_what_floats_cannot_compute_is_refused_and_no_result(
    states: list[tuple[float, float]],
) -> None:
    with pytest.raises(ValueError, match="finite"):
        rate(states, [1, 2])
