from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.analysis.best_match import after_roll, best_match, spread
from engine.bluff.hand import matching
from engine.bluff.track import FACES, STAR


@pytest.mark.parametrize(
    ("dice", "most"), [("12345", 1), ("1224*", 3), ("***", 3), ("44455", 3), ("", 0)]
)
def test_b7_stars_count_under_the_commonest_face(dice: str, most: int) -> None:
    assert best_match(dice) == most


@given(st.text(FACES, max_size=20))
def test_no_bid_counts_more_of_the_dice_than_the_best_match(dice: str) -> None:
    assert best_match(dice) == max(matching(dice, face) for face in range(1, STAR + 1))


@given(st.text("12345", max_size=6), st.integers(0, 4))
def test_the_spread_is_that_of_all_rolls_one_by_one(kept: str, rolled: int) -> None:
    rolls = [best_match(kept + "".join(dice)) for dice in product(FACES, repeat=rolled)]
    ways = spread(tuple(kept.count(face) for face in "12345"), rolled)
    assert ways == [rolls.count(match) for match in range(len(ways))]
    assert sum(ways) == 6**rolled


def test_five_dice_have_a_best_match_of_nearly_three_on_average() -> None:
    mean, variance = after_roll("", 5)
    matches = [best_match("".join(dice)) for dice in product(FACES, repeat=5)]
    assert mean == pytest.approx(sum(matches) / 6**5, abs=1e-12)
    assert variance == pytest.approx(
        sum((match - mean) ** 2 for match in matches) / 6**5, abs=1e-12
    )
    assert 2.82 < mean < 2.83


def test_stars_that_stay_add_to_every_best_match() -> None:
    assert after_roll("22**", 2).mean == 2 + after_roll("22", 2).mean
    assert after_roll("22**", 2).variance == after_roll("22", 2).variance


def test_where_nothing_is_rolled_nothing_varies() -> None:
    assert after_roll("122*", 0) == (3, 0)


def test_the_largest_cup_is_as_exact() -> None:
    assert sum(spread((0,) * 5, 20)) == 6**20
    assert spread((0,) * 5, 20)[20] == 5 * (2**20 - 1) + 1
