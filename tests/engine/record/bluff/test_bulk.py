"""Stored games of Bluff walked straight from their bytes come to what the one place of settling
says."""

from collections.abc import Callable

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.bluff.game import Game
from engine.bluff.ruleset import Ruleset
from engine.illegal import Illegal
from engine.record.bluff.bulk import BY_CLOCK, bulk, settle_stored
from engine.record.bluff.compact import unpack_round
from engine.record.bluff.round_start import round_start
from engine.record.bluff.settle import settle
from engine.record.check import check, replay
from engine.record.header import stored_header
from engine.record.record import Record
from engine.record.stored import pack_record, replay_stored, unpack_record
from tests.engine.record.bodies import changed
from tests.engine.record.build import bids, dealt, game, record, revealed
from tests.engine.record.fair import bluff
from tests.engine.record.simulated import random_game


def walked(dealt_game: Record) -> None:
    """The walk finds the same ending as reading and checking."""
    assert bulk(dealt_game.start(), pack_record(dealt_game)) == check(dealt_game).ending


def test_rounds_that_tell_the_dice_when_the_cups_went_up_are_plain_too() -> None:
    walked(
        record(game(revealed("4x2", "!"), revealed("3x*", "!", hands=["12345", "2245", "1133*"])))
    )


@given(st.integers(0, 500))
@settings(max_examples=40)
def test_a_dealt_game_without_lay_outs_can_be_walked(seed: int) -> None:
    dealt_game = bluff(seed, dice=1 + seed % 5, reroll=False)
    walked(dealt_game)
    walked(dealt_game.first(len(dealt_game.rounds) - 1))


def test_hands_of_six_dice_take_two_bytes_and_cannot_be_walked() -> None:
    big = bluff(1, dice=6, reroll=False)
    assert bulk(big.start(), pack_record(big)) is None


def test_a_round_tells_who_owns_what_and_who_opens_next() -> None:
    played = record(
        game(dealt("4x2", "!"), dealt("5x2", "6x2", "!", hands=["12345", "2245", "1133*"]))
    )
    first, second = pack_record(played)
    settled = settle_stored(round_start(Ruleset(), (5, 5, 5), 0), first)
    assert settled is not None
    assert (settled.following.owned, settled.following.live, settled.seats_out) == (
        (5, 4, 5),
        (0, 1, 2),
        None,
    )
    settled = settle_stored(settled.following, second)
    assert settled is not None
    assert (settled.following.owned, settled.following.live, settled.seats_out) == (
        (5, 2, 5),
        (2, 0, 1),
        None,
    )


def test_rounds_of_which_the_bids_and_the_count_are_told_are_plain_too() -> None:
    walked(record(game(bids("4x2", count=5), bids("5x2", "6x2", count=14))))
    counted_wrong = b"\x62\x10\x08"
    assert settle_stored(round_start(Ruleset(), (5, 5, 5), 0), counted_wrong) is None


def test_the_start_of_a_round_is_made_once() -> None:
    start = round_start(Ruleset(), (5, 5), 0)
    assert round_start(Ruleset(), (5, 5), 0) is start
    assert round_start(Ruleset(), (5, 5), 1) is not start


@given(st.integers(), st.integers(1, 5))
@settings(max_examples=100)
def test_a_game_of_all_levels_with_lay_outs_void_rounds_and_leavers_can_be_walked(
    seed: int, dice: int
) -> None:
    walked(record(random_game(seed, dice=dice)))


@pytest.mark.parametrize("rule", ["all", "challenger", "protected", "giveaway"])
@given(st.integers())
@settings(max_examples=20)
def test_b9_a_game_by_each_rule_of_the_exact_hit_can_be_walked(rule: str, seed: int) -> None:
    walked(record(random_game(seed, dice=5, exact=rule)))


@given(st.integers(), st.sampled_from([1, 2, 5]), st.data())
@settings(max_examples=150)
def test_a_changed_game_is_walked_only_where_the_longer_way_finds_no_fault_either(
    seed: int, dice: int, data: st.DataObject
) -> None:
    whole = record(random_game(seed, dice=dice))
    bodies = changed(data, pack_record(whole))
    quick = bulk(whole.start(), bodies)
    if quick is None:
        return
    unpacked = unpack_record(stored_header(whole), whole.seats, None, bodies)
    assert pack_record(unpacked) == bodies
    assert replay(unpacked).error is None
    assert quick == replay(unpacked).ending


@pytest.mark.parametrize("round_", [{"losses": [0, 1, 0]}, {"forfeit": [2]}, {"ended": "clock"}])
@pytest.mark.parametrize(
    "change", [lambda body: body + b"\x10", lambda body: bytes([body[0] | 32]) + body[1:]]
)
def test_bytes_behind_a_round_that_tells_no_moves_are_refused(
    round_: dict[str, object], change: Callable[[bytes], bytes]
) -> None:
    two_rounds = record(game(bids("4x2", count=5), round_))
    first, second = pack_record(two_rounds)
    assert replay_stored(stored_header(two_rounds), two_rounds.seats, [first, second]).ok
    error = replay_stored(
        stored_header(two_rounds), two_rounds.seats, [first, change(second)]
    ).error
    assert error is not None
    assert error.code == "bad_record"


@pytest.mark.parametrize(
    ("rules", "bodies"),
    [
        (Ruleset(reroll=False), [b"\x62\x05\xdc\x03\x01\x00"]),
        (Ruleset(reroll=True), [b"\x62\x05\xdc\x03\x05\x00"]),
        (Ruleset(reroll=True), [b"\x24\x00\x00\xdc\x03\x01\x00\x03\x00"]),
        (Ruleset(reroll=True), [b"\x24\x00\x00\xdc\x03\x01\x01\x04\x00"]),
        (Ruleset(), [b"\x61\x17\x05\x03"]),
        (Ruleset(), [b"\x61\x00\x05\x03"]),
        (Ruleset(), [b"\x2a\x01\x03"]),
        (Ruleset(), [b"\x61\x10\x05\x03\x04"]),
        (Ruleset(), [b"\x61\x01\x05\x00"]),
        (Ruleset(), [b"\x61\x10\x0b\x03"]),
        (Ruleset(reroll=True), [b"\x62\x05\xdc\x03\x01\x00\xdd\x05\x01\x00"]),
        (Ruleset(), [b"\x62\x05"]),
        (Ruleset(), [b"\x00\x01\x02", b"\x72\x00\x05"]),
        (Ruleset(), [b"\x0a\x00\x03\x03"]),
        (Ruleset(dice=1), [b"\x24\x00\x00\x08\x09", b"\x00\x01\x02"]),
        (Ruleset(), [b"\x10\x00\x01\x02"]),
        (Ruleset(dice=1), [b"\x24\x00\x00\x08\x09", b"\x0a\x00"]),
        (Ruleset(), [b"\x0a\x03"]),
    ],
    ids=[
        "B14: a lay-out where none is played",
        "B14: all dice laid out",
        "B14: three dice rerolled, not four",
        "B14: a die laid out that isn't in the hand",
        "B6: a bidder who doesn't play",
        "B6: a challenger out of turn",
        "B17: a challenged round, void because somebody left",
        "two bids where the last one alone is told",
        "B4: the lowest bid, and the seat before it bid something lower",
        "B7: eleven dice of ten",
        "a move that is none",
        "B5: no bid",
        "B5: no bid of an opener that is told",
        "B4: the same bid again before the round is void",
        "losses after the end",
        "an opener told that is known",
        "a void round after the end",
        "B17: all seats leave",
    ],
)
def test_what_is_against_the_rules_is_not_walked(rules: Ruleset, bodies: list[bytes]) -> None:
    assert bulk(Game(rules, 2, 0), bodies[:-1]) is not None
    assert bulk(Game(rules, 2, 0), bodies) is None


def test_a_game_that_has_begun_in_bulk_is_left_as_it_was() -> None:
    played = bluff(3, dice=5, reroll=False)
    begun = played.start()
    assert bulk(begun, pack_record(played)) == bulk(begun, pack_record(played))


ROUND = st.one_of(
    st.binary(max_size=8),
    st.builds(
        lambda level, hands, bids: bytes([level, *hands, *bids]),
        st.sampled_from([35, 36, 98]),
        st.lists(st.integers(0, 255), min_size=2, max_size=2),
        st.lists(st.integers(0, 225), max_size=4).map(sorted),
    ),
)


@given(ROUND)
@settings(max_examples=300)
def test_bytes_are_taken_for_a_plain_round_only_where_they_settle_too(data: bytes) -> None:
    assume(data != BY_CLOCK)
    try:
        found = settle_stored(round_start(Ruleset(), (5, 5), 0), data)
    except (IndexError, StopIteration):
        found = None
    begun = bulk(Game(Ruleset(), 2, 0), [data])
    assert (found is None) == (begun is None)
    if found is None:
        return
    played = Game(Ruleset(), 2, 0)
    unpacked = unpack_round(data, played.owned)
    assert not isinstance(settle(played, unpacked, ""), Illegal)
    assert (tuple(played.owned), played.opener) == (found.following.owned, found.following.live[0])


def test_b20_the_mark_that_time_was_up_is_read_on_the_quick_way_too() -> None:
    played = record(game(bids("4x2", count=5), {"ended": "clock"}))
    walked(played)
    assert bulk(played.start(), [*pack_record(played), BY_CLOCK]) is None
    assert bulk(Game(Ruleset(dice=1), 2, 0), [b"\x24\x00\x00\x08\x09", BY_CLOCK]) is None


def test_a_bid_that_is_no_raise_and_a_round_after_the_end_are_not_plain() -> None:
    start = round_start(Ruleset(dice=1), (1, 1), 0)
    good, again = b"\x24\x00\x00\x08\x09", b"\x24\x00\x00\x08\x08"
    settled = settle_stored(start, good)
    assert settled is not None
    assert settled.seats_out is not None
    assert settled.seats_out.seats == (1,)
    assert settle_stored(start, again) is None
    assert settle_stored(settled.following, good) is None
    assert bulk(Game(Ruleset(dice=1), 2, 0), [good, b"\x24\x00\x08\x09"]) is None
