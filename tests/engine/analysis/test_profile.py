import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.analysis.game import analyse
from engine.analysis.profile import MICRO, Style
from tests.engine.analysis.build import of, record
from tests.engine.record.simulated import random_game

BLUFF: dict[str, object] = {"dealt": ["3", "2"], "moves": ["1x4", "1x5", "!"]}
"""Neither bid has a die behind it: each holds in one case of three. The second is caught."""
LUCKY: dict[str, object] = {"dealt": ["4", "2"], "moves": ["1x5", "1x*", "2x4", "!"]}


def style(*rounds: dict[str, object], seat: int, dice: int = 1) -> Style:
    return Style().add(analyse(record(*rounds, dice=dice)), seat)


def test_a_bid_that_holds_in_one_case_of_three_is_a_bluff_that_stood_when_it_was_raised() -> None:
    opener = style(BLUFF, seat=0)
    assert (opener.bids, opener.bluffs, opener.unsupported, opener.stood) == (1, 1, 1, 1)
    assert opener.bluff_rate == opener.bluff_success == 1


def test_a_bluff_that_was_challenged_and_not_there_was_caught() -> None:
    other = style(BLUFF, seat=1)
    assert (other.bids, other.bluffs, other.caught) == (1, 1, 1)
    assert other.bluff_success == 0


def test_a_bluff_that_was_challenged_and_there_was_lucky() -> None:
    opener = style({"dealt": ["2", "4"], "moves": ["1x4", "!"]}, seat=0)
    assert (opener.bluffs, opener.lucky, opener.bluff_success) == (1, 1, 1)


def test_a_bid_on_ones_own_die_is_no_bluff() -> None:
    opener = style({"dealt": ["4", "2"], "moves": ["1x4", "!"]}, seat=0)
    assert (opener.bids, opener.bluffs, opener.unsupported) == (1, 0, 0)
    assert opener.bluff_rate == 0
    assert opener.bluff_success is None


def test_a_bluff_that_nobody_answered_neither_succeeded_nor_failed() -> None:
    opener = style({"dealt": ["2", "4"], "moves": ["1x4"], "forfeit": [1], "void": True}, seat=0)
    assert (opener.bluffs, opener.stood, opener.lucky, opener.caught) == (1, 0, 0, 0)


def test_a_challenge_goes_in_the_bin_of_its_chance_to_be_right() -> None:
    challenger = style(BLUFF, seat=0)
    assert challenger.challenges == (0, 0, 0, 0, 0, 0, 1, 0, 0, 0)
    assert challenger.stated[6] == pytest.approx(2 / 3 * MICRO, abs=1)
    assert challenger.right == challenger.challenges
    sure = style({"dealt": ["3", "2"], "moves": ["3x4", "!"]}, seat=1)
    assert sure.challenges[9] == 1


def test_where_no_hand_is_told_nothing_is_counted() -> None:
    assert style({"moves": ["1x4", "1x5", "!"], "count": 1}, seat=0) == Style()


def test_a_style_as_json() -> None:
    told = style(BLUFF, seat=0).as_json()
    assert told["cost"] == pytest.approx(1 / 3, abs=1e-6)
    assert told["luck"] == pytest.approx(2 / 3, abs=1e-6)
    assert isinstance(told["calibration"], list)
    assert told["calibration"][6] == {"challenges": 1, "stated": pytest.approx(2 / 3, abs=1e-6), "came": 1}
    assert told["calibration"][0] == {"challenges": 0, "stated": None, "came": None}
    assert Style().as_json()["bluff_rate"] is None


@settings(max_examples=20)
@given(st.lists(st.integers(0, 10_000), min_size=3, max_size=3))
def test_styles_add_up_in_any_order_and_grouping(seeds: list[int]) -> None:
    one, two, three = (analyse(of(random_game(seed))) for seed in seeds)
    in_order = Style().add(one, 0).add(two, 0).add(three, 0)
    assert in_order == Style().add(three, 0).add(one, 0).add(two, 0)
    assert in_order == Style().add(one, 0) + (Style().add(two, 0) + Style().add(three, 0))
