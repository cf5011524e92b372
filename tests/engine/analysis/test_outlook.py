from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.analysis.belief import FITTED, PLAIN
from engine.analysis.moment import replayed_rounds
from engine.analysis.outlook import Option, Outlook
from engine.bluff.move import CHALLENGE, LayOut
from engine.bluff.ruleset import Ruleset
from engine.bluff.track import BID, FACES, STAR, raises
from engine.record.record import Record
from tests.engine.analysis.build import first_round, of, record
from tests.engine.record.simulated import random_game

ONE_EACH = record({"dealt": ["4", "2"], "moves": ["1x4", "!"]}, dice=1)
"""Seat 0 bids one 4 and has it; seat 1 sees a 2 of its own and one cup."""
REROLL = record({"dealt": ["24", "33"], "moves": ["2x4/4>4", "!"]}, dice=2, reroll=True)


def outlook(move: int, seat: int | None = None, game: Record = ONE_EACH) -> Outlook:
    """What the seat to act, or `seat`, can expect in the plain light."""
    assert isinstance(game.rules, Ruleset)
    played = first_round(game)
    moment = played.moments[move]
    return Outlook(game.rules, played.owned, moment, moment.seat if seat is None else seat, PLAIN)


def near(option: Option | None, chance: float, value: float) -> bool:
    assert option is not None
    return [option.chance, option.value] == pytest.approx([chance, value])


def test_the_opener_has_nothing_to_challenge() -> None:
    assert outlook(0).challenge() is None


def test_a_bid_on_ones_own_die_holds_and_costs_the_challenger_a_die_either_way() -> None:
    assert near(outlook(0).raise_by(BID["1x4"]), chance=1, value=1)


def test_a_challenge_is_worth_2_cases_won_less_1_lost_of_3() -> None:
    assert near(outlook(1).challenge(), chance=1 / 3, value=2 / 3 - 1 / 3)


def test_a_star_that_nobody_holds_costs_its_bidder_a_die_in_5_cases_of_6() -> None:
    assert near(outlook(1).raise_by(BID["1x*"]), chance=1 / 6, value=1 / 6 - 5 / 6)


def test_b8_nobody_loses_more_than_they_own_however_high_the_bid() -> None:
    assert near(outlook(1).raise_by(BID["20x2"]), chance=0, value=-1)


def test_the_reroll_is_in_the_odds_a_4_laid_out_and_three_unseen_dice_of_which_one_must_match() -> (
    None
):
    assert outlook(0, game=REROLL).raise_by(LayOut(BID["2x4"], "4")).chance == pytest.approx(
        1 - (2 / 3) ** 3
    )


def test_the_dice_that_came_of_the_reroll_do_not_change_the_odds_before_it() -> None:
    assert outlook(0, game=REROLL).raise_by(LayOut(BID["2x4"], "4", "4")).chance == pytest.approx(
        19 / 27
    )


def test_once_it_has_rerolled_a_seat_knows_its_new_dice() -> None:
    # Two 4s of its own and two unseen dice: the challenger loses one die, and two only if both of
    # them match.
    assert near(outlook(1, seat=0, game=REROLL).challenge(), chance=1, value=8 / 9 * 1 + 1 / 9 * 2)


def test_where_no_hand_is_told_the_public_view_counts_the_seats_own_dice_as_unseen() -> None:
    public = outlook(1, game=record({"moves": ["1x4", "!"], "count": 1}, dice=1))
    assert public.known == "public"
    assert near(public.challenge(), chance=5 / 9, value=4 / 9 - 5 / 9)
    assert not public.supports(4)


def test_a_raise_is_worth_no_more_than_to_be_left_standing_a_challenge_is_worth_its_value() -> None:
    assert Option(BID["1x4"], 1, 0.7).worth == 0
    assert Option(BID["1x4"], 0, -0.7).worth == -0.7
    assert Option(CHALLENGE, 0, 0.7).worth == 0.7


def test_an_option_as_json() -> None:
    expected = {"move": "2x4/4", "chance": 0.333333, "value": 0.5, "worth": 0.0}
    assert Option(LayOut(BID["2x4"], "4"), 1 / 3, 0.5).as_json() == expected


def test_where_the_bid_on_the_table_is_not_told_no_raise_can_be_named() -> None:
    untold = outlook(
        0, game=record({"moves": ["3x4", "!"], "bidder": 0, "challenger": 1, "count": 2})
    )
    assert untold.challenge() is None
    assert untold.best_raise() is None
    assert list(untold.raises()) == []


def test_past_the_end_of_the_track_nothing_raises() -> None:
    assert (
        outlook(1, game=record({"dealt": ["4", "2"], "moves": ["40x5", "!"]}, dice=1)).best_raise()
        is None
    )


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.sampled_from([PLAIN, FITTED]))
def test_the_best_raise_is_the_best_of_all_raises(seed: int, weight: float) -> None:
    game = of(random_game(seed, reroll=False))
    assert isinstance(game.rules, Ruleset)
    for played in replayed_rounds(game):
        for moment in played.moments[:-2]:
            seat = Outlook(game.rules, played.owned, moment, moment.seat, weight)
            options = list(seat.raises())
            assert len(options) == (0 if moment.bid is None else len(raises(moment.bid)))
            best = seat.best_raise()
            assert (best.value if best else None) == max(
                (option.value for option in options), default=None
            )


@given(st.text(FACES, min_size=2, max_size=5), st.integers(1, STAR), st.integers(1, 9))
def test_no_lay_out_makes_a_bid_likelier_than_the_one_that_is_tried(
    hand: str, face: int, number: int
) -> None:
    seat = outlook(
        0, game=record({"dealt": [hand, hand], "moves": ["1x1", "!"]}, dice=len(hand), reroll=True)
    )
    bid = BID[f"{number}x{FACES[face - 1]}"]
    tried = [LayOut(bid, show) for show in seat.lay_outs(face) if show]
    every = [
        LayOut(bid, "".join(show))
        for dice in range(1, len(hand))
        for show in combinations(hand, dice)
    ]
    best, *_ = sorted((seat.raise_by(move).chance for move in every), reverse=True)
    assert [seat.raise_by(move).chance for move in tried] == [pytest.approx(best)]


def test_the_best_raise_may_be_one_with_a_lay_out() -> None:
    game = record({"dealt": ["44123", "33333"], "moves": ["3x4", "6x4", "!"]}, reroll=True)
    best = outlook(0, game=game).best_raise()
    assert best is not None
    assert isinstance(best.move, LayOut)
    assert outlook(0, game=game).raise_by(best.move) == best


def test_b14_a_single_die_is_not_laid_out() -> None:
    assert outlook(
        0, game=record({"dealt": ["4", "2"], "moves": ["1x4", "!"]}, dice=1, reroll=True)
    ).lay_outs(4) == ("",)
