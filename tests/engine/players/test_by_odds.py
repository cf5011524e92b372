"""The player that goes by the odds of unseen dice alone."""

from hypothesis import given
from hypothesis import strategies as st

from engine.bluff.move import CHALLENGE, LayOut
from engine.bluff.track import BID, BIDS, FACE, TEXT
from engine.players.by_odds import ByOdds, least_raises
from tests.engine.players.views import view


def test_the_least_raises_hold_every_face_once() -> None:
    assert [TEXT[bid] for bid in least_raises(BID["3x4"])] == [
        "3x5",
        "2x*",
        "4x1",
        "4x2",
        "4x3",
        "4x4",
    ]
    assert [TEXT[bid] for bid in least_raises(BID["40x3"])] == ["40x4", "40x5"]


@given(st.integers(-1, BIDS - 12))
def test_no_raise_on_a_face_comes_before_the_least_one(bid: int) -> None:
    for raised in least_raises(bid):
        assert FACE[raised] not in FACE[bid + 1 : raised]
    assert len(least_raises(bid)) == 6


def test_it_raises_on_the_face_it_holds_most_of() -> None:
    assert ByOdds().choose(view("44422", "0:2x2")) == BID["2x4"]


def test_it_challenges_a_bid_that_hardly_holds() -> None:
    assert ByOdds().choose(view("11111", "0:6x2")) == CHALLENGE
    assert ByOdds().choose(view("11111", "0:40x5")) == CHALLENGE


def test_it_does_not_challenge_a_bid_that_its_own_dice_make_true() -> None:
    assert ByOdds().choose(view("222**", "0:5x2")) != CHALLENGE


def test_dice_laid_out_by_others_count() -> None:
    assert ByOdds().choose(view("11345", "0:4x2", shown=("2222", ""))) != CHALLENGE


def test_it_lays_out_what_matches_its_bid_and_rerolls_the_rest() -> None:
    assert ByOdds().choose(view("44425", "0:3x2", reroll=True)) == LayOut(BID["3x4"], "444")
