import pytest

from engine.analysis.decisions import Decision, decisions
from engine.bluff.move import CHALLENGE
from engine.bluff.ruleset import Ruleset
from engine.bluff.track import BID
from engine.record.record import Record
from tests.engine.analysis.build import first_round, record


def decided(game: Record) -> tuple[Decision, ...]:
    assert isinstance(game.rules, Ruleset)
    return decisions(game.rules, first_round(game), 0)


def test_who_could_have_challenged_for_a_third_of_a_die_and_raised_at_a_third_paid_two_thirds() -> (
    None
):
    _, raised, _ = decided(record({"dealt": ["3", "2"], "moves": ["1x4", "1x5", "!"]}, dice=1))
    assert raised.made.value == pytest.approx(-1 / 3)
    assert raised.best is not None
    assert raised.best.move == CHALLENGE
    assert raised.best == raised.challenge
    assert raised.cost == pytest.approx(2 / 3)
    assert (raised.bid, raised.count, raised.held) == (BID["1x5"], 0, False)
    assert raised.supported is False


def test_the_best_move_costs_nothing_and_is_named_even_if_others_are_as_good() -> None:
    opened, challenged = decided(record({"dealt": ["4", "2"], "moves": ["1x4", "!"]}, dice=1))
    assert opened.cost == challenged.cost == 0
    assert opened.best == opened.made
    assert opened.challenge is None
    assert opened.supported
    assert challenged.challenged
    assert challenged.held


def test_what_the_dice_really_were_when_each_bid_was_made() -> None:
    played = {"dealt": ["44", "33"], "moves": ["1x4", "2x4/3>*", "3x4", "!"]}
    counts = [decision.count for decision in decided(record(played, dice=2, reroll=True))]
    assert counts == [2, 3, 3, 3]


def test_b14_dice_revealed_after_a_reroll_tell_no_count_from_before_it() -> None:
    played = {"revealed": ["44", "3*"], "moves": ["1x4", "2x4/3", "3x4", "!"]}
    opened, laid_out, raised, _ = decided(record(played, dice=2, reroll=True))
    assert (opened.known, opened.count, opened.held) == ("own", None, None)
    assert (laid_out.known, laid_out.cost, laid_out.count) == ("public", None, 3)
    assert (raised.known, raised.count) == ("own", 3)


def test_where_only_the_bids_are_told_all_is_public_and_nobody_is_blamed() -> None:
    opened, challenged = decided(record({"moves": ["3x4", "!"], "count": 2}))
    assert (opened.known, opened.cost, opened.supported) == ("public", None, None)
    assert opened.count == challenged.count == 2
    assert challenged.best is not None
    assert opened.made.chance == pytest.approx(
        1 - (2 / 3) ** 10 - 10 * (2 / 3) ** 9 / 3 - 45 * (2 / 3) ** 8 / 9
    )


def test_where_only_the_last_bid_is_told_no_other_move_is_named_for_it() -> None:
    played = {"moves": ["3x4", "!"], "bidder": 0, "challenger": 1, "count": 2}
    opened, challenged = decided(record(played))
    assert (opened.challenge, opened.best, opened.cost) == (None, None, None)
    assert challenged.challenge == challenged.made


def test_a_decision_as_json() -> None:
    _, raised, _ = decided(record({"dealt": ["3", "2"], "moves": ["1x4", "1x5", "!"]}, dice=1))
    challenge = {"move": "!", "chance": 0.333333, "value": 0.333333, "worth": 0.333333}
    assert raised.as_json() == {
        "move": 1,
        "seat": 1,
        "known": "own",
        "made": {"move": "1x5", "chance": 0.333333, "value": -0.333333, "worth": -0.333333},
        "challenge": challenge,
        "best": challenge,
        "cost": 0.666667,
        "bid": "1x5",
        "count": 0,
        "held": False,
    }


def test_what_is_not_told_is_null_in_json() -> None:
    opened, _ = decided(record({"moves": ["3x4", "!"], "bidder": 0, "challenger": 1, "count": 2}))
    answer = opened.as_json()
    assert (answer["challenge"], answer["best"], answer["cost"]) == (None, None, None)
