"""The random player."""

from random import Random

from engine.bluff.move import CHALLENGE, LayOut
from engine.bluff.track import BID, BIDS
from engine.players.at_random import REACH, AtRandom
from tests.engine.players.views import view


def test_it_opens_with_any_of_the_first_dozen_bids() -> None:
    player = AtRandom(Random(1))
    assert {player.choose(view("12345")) for _ in range(300)} == set(range(REACH))


def test_it_raises_to_any_of_the_next_dozen_bids_or_challenges_all_alike() -> None:
    player = AtRandom(Random(1))
    said = view("12345", "0:3x4")
    moves = [player.choose(said) for _ in range(2600)]
    assert set(moves) == {*range(BID["3x4"] + 1, BID["3x4"] + 13), CHALLENGE}
    assert all(120 < moves.count(move) < 300 for move in set(moves))


def test_it_can_only_challenge_the_last_bid_of_the_track() -> None:
    assert AtRandom(Random(1)).choose(view("12345", "0:40x5")) == CHALLENGE
    assert BIDS == CHALLENGE


def test_it_lays_out_some_of_its_dice_now_and_then_where_it_may() -> None:
    player = AtRandom(Random(1))
    shown = [
        move.show
        for _ in range(300)
        if isinstance(move := player.choose(view("123", reroll=True)), LayOut)
    ]
    assert 30 < len(shown) < 150
    assert {len(show) for show in shown} == {1, 2}
    assert all(set(show) < set("123") for show in shown)
    assert all(isinstance(player.choose(view("1", reroll=True)), int) for _ in range(50))
