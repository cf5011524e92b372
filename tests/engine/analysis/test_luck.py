from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.analysis.decisions import decisions
from engine.analysis.luck import Luck, showdown_luck
from engine.analysis.moment import play
from engine.bluff.ruleset import Ruleset
from engine.bluff.track import FACES
from engine.record.record import Record
from tests.engine.analysis.build import of, record
from tests.engine.record.simulated import random_game


def luck(game: Record) -> list[tuple[Luck, ...]]:
    rules = game.rules
    assert isinstance(rules, Ruleset)
    return [showdown_luck(rules, played, decisions(rules, played, 0), 0) for played in play(game)]


def test_the_challenger_hoped_for_a_third_of_a_die_and_lost_one() -> None:
    ((bidder, challenger),) = luck(record({"dealt": ["4", "2"], "moves": ["1x4", "!"]}, dice=1))
    assert (bidder.expected, bidder.result, bidder.luck) == (1, 1, 0)
    assert challenger.expected == pytest.approx(1 / 3)
    assert challenger.result == -1
    assert challenger.luck == pytest.approx(-4 / 3)


def test_b9_a_third_seat_is_lucky_when_the_exact_hit_that_would_cost_it_a_die_does_not_come() -> None:
    dealt = {"dealt": ["4", "2", "1"], "moves": ["2x4", "!"]}
    ((_, _, third),) = luck(record(dealt, dice=1, seats=3))
    # Two unseen dice: none matches in 4 cases of 9 and one in 4, so nobody's bid is short by more than the bidder owns.
    falls, exact = (4 + 4) / 9, 1 / 9
    assert third.expected == pytest.approx(falls * 0.5 + exact * (0.5 - 1))
    assert third.result == 0.5


def test_b14_the_dice_of_the_bidders_own_reroll_are_luck_too() -> None:
    dealt = {"dealt": ["24", "33"], "moves": ["3x4/4>4", "!"]}
    ((bidder, _),) = luck(record(dealt, dice=2, reroll=True))
    # One 4 laid out and three unseen dice: two short in 8 cases of 27, one short in 12, exact in 6, one over in 1.
    assert bidder.expected == pytest.approx((-2 * 8 - 12 + 6 + 1) / 27)
    assert bidder.result == -1


def test_against_fair_dice_luck_adds_up_to_nothing_over_all_hands_of_the_opponent() -> None:
    total = [0.0, 0.0]
    for hand in product(FACES, repeat=2):
        dealt = {"dealt": ["45", "".join(hand)], "moves": ["2x4", "!"]}
        total[0] += luck(record(dealt, dice=2))[0][0].luck
        dealt = {"dealt": ["".join(hand), "45"], "moves": ["2x4", "!"]}
        total[1] += luck(record(dealt, dice=2))[0][1].luck
    assert total == pytest.approx([0, 0])


def test_where_no_hand_is_told_luck_is_measured_from_the_public_view() -> None:
    ((bidder, challenger),) = luck(record({"moves": ["1x4", "!"], "count": 2}, dice=1))
    assert bidder.known == challenger.known == "public"
    assert bidder.result == 1
    assert bidder.expected == pytest.approx(5 / 9 - 4 / 9)


def test_a_round_without_showdown_has_no_luck_and_seats_that_are_out_have_none() -> None:
    rounds = ({"losses": [0, 0, 5]}, {"opener": 0, "moves": ["1x1", "!"], "count": 3}, {"opener": 0, "moves": ["1x1"]})
    untold, showdown, unfinished = luck(record(*rounds, seats=3))
    assert untold == unfinished == ()
    assert [entry.seat for entry in showdown] == [0, 1]


def test_luck_as_json() -> None:
    expected = {"seat": 2, "known": "own", "expected": 0.333333, "result": -1, "luck": -1.333333}
    assert Luck(2, "own", 1 / 3, -1).as_json() == expected


@settings(max_examples=30)
@given(st.integers(0, 10_000))
def test_what_the_seats_got_adds_up_to_nothing(seed: int) -> None:
    for entries in luck(of(random_game(seed))):
        assert sum(entry.result for entry in entries) == pytest.approx(0)
