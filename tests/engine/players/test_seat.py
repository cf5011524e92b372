"""A seat sees its own cup and what lies open, and nothing else."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.bluff.move import CHALLENGE, LayOut, Move
from engine.bluff.round import Round
from engine.bluff.ruleset import Ruleset
from engine.bluff.track import BID
from engine.players.at_random import AtRandom
from engine.players.player import Said, SeatView
from engine.players.seat import play_round, roll, view_of


class Scripted:
    """Makes the moves it is given and keeps what it saw."""

    def __init__(self, *moves: Move) -> None:
        self.moves = list(moves)
        self.views: list[SeatView] = []

    def choose(self, view: SeatView) -> Move:
        self.views.append(view)
        return self.moves.pop(0)


class Prying:
    """Plays at random; before each move it has the dice under all other cups rolled anew, and the
    view taken again."""

    def __init__(self, rng: Random) -> None:
        self.random = AtRandom(rng)
        self.rng = rng
        self.played: Round | None = None

    def choose(self, view: SeatView) -> Move:
        assert self.played is not None
        assert self.played.cups is not None
        own = view.seat
        before = list(self.played.cups)
        assert view.cup == "".join(sorted(before[own], key="12345*".index))
        self.played.cups = [
            cup if seat == own else roll(len(cup), self.rng) for seat, cup in enumerate(before)
        ]
        assert view_of(self.played, view.said) == view
        self.played.cups = before
        return self.random.choose(view)


@given(
    st.lists(st.integers(0, 6), min_size=2, max_size=6),
    st.booleans(),
    st.randoms(use_true_random=False),
)
def test_hidden_dice_never_reach_the_view_of_another_seat(
    owned: list[int], reroll: bool, rng: Random
) -> None:
    owned[0] = owned[1] = 3
    player = Prying(rng)
    played = Round(Ruleset(reroll=reroll), owned, 0, [roll(dice, rng) for dice in owned])
    player.played = played
    assert play_round([player] * len(owned), played, rng)[-1] == CHALLENGE


def test_a_view_shows_the_bids_with_who_made_them_the_dice_laid_out_and_how_many_are_hidden() -> (
    None
):
    last = Scripted(CHALLENGE)
    players = [Scripted(LayOut(BID["1x2"], "2")), Scripted(BID["3x4"]), last]
    rules = Ruleset(reroll=True)
    play_round(players, Round(rules, [3, 2, 1], 0, ["12*", "45", "1"]), Random(1))
    (view,) = last.views
    assert view == SeatView(
        rules, 2, 0, (3, 2, 1), ("2", "", ""), "1", (Said(0, BID["1x2"], "2"), Said(1, BID["3x4"]))
    )
    assert (view.hidden, view.bid, view.bidder) == ((2, 2, 1), BID["3x4"], 1)


def test_the_table_rerolls_whatever_the_player_says_it_rolled() -> None:
    cheat = Scripted(LayOut(BID["1x2"], "2", "**"))
    moves = play_round(
        [cheat, Scripted(CHALLENGE)],
        Round(Ruleset(reroll=True), [3, 3], 0, ["123", "123"]),
        Random(1),
    )
    assert moves[0] == LayOut(BID["1x2"], "2", roll(2, Random(1)))
    assert moves[0] != LayOut(BID["1x2"], "2", "**")


@pytest.mark.parametrize("move", [CHALLENGE, LayOut(BID["1x2"], "5"), LayOut(BID["1x2"], "11111")])
def test_an_illegal_move_is_an_error_that_names_the_seat(move: Move) -> None:
    played = Round(Ruleset(reroll=True), [3, 3], 0, ["123", "123"])
    with pytest.raises(ValueError, match="seat 0: "):
        play_round([Scripted(move)] * 2, played, Random(1))
