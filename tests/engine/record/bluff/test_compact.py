import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.illegal import Illegal
from engine.record.bluff.compact import hands_of, pack, pack_round, unpack, unpack_round
from engine.record.bluff.kind import BLUFF
from engine.record.bluff.round import RoundRecord, canonical
from engine.record.bluff.settle import settle
from engine.record.record import Record, begin
from tests.engine.record.build import bids, dealt, game, left, lost, record
from tests.engine.record.simulated import random_game
from tests.engine.record.test_season import SEASON


def packed(whole: Record) -> list[tuple[RoundRecord, list[int], bytes]]:
    """Each round of a good record, the dice owned before it, and its stored form."""
    played, recorded = begin(whole, BLUFF)
    rounds = []
    for fact in canonical(recorded):
        rounds.append((fact, played.owned, pack_round(fact, played.owned)))
        assert not isinstance(settle(played, fact, ""), Illegal)
    return rounds


@given(st.integers())
def test_a_stored_round_unpacks_to_itself(seed: int) -> None:
    for fact, owned, data in packed(record(random_game(seed))):
        assert unpack_round(data, owned) == fact


@pytest.mark.parametrize(
    "round_",
    [
        dealt("4x2"),
        dealt(),
        {"moves": ["4x2", "40x5"]},
        left(0, 2),
        left(1, opener=0),
        left(1, void=True, moves=["4x2/1"]),
        dealt("4x2/1>2345", "4x3/2245>5", void=True, forfeit=[2]),
        lost(0, 0, 1),
        bids("1x1/4444", "40x5", count=11),
    ],
)
def test_rounds_of_every_kind_can_be_stored(round_: dict[str, object]) -> None:
    for rounds in ([round_], [lost(0, 1, 0), left(1), bids("4x2", count=5, opener=0)]):
        for fact, owned, data in packed(record(game(*rounds, reroll=True))):
            assert unpack_round(data, owned) == fact


def test_a_hand_and_a_bid_take_one_byte_each() -> None:
    assert len(hands_of(5).texts) == 252
    ((_, _, data),) = packed(record(game(dealt("4x2", "4x3", "5x1", "!"))))
    assert len(data) == 1 + 3 + 3


def test_hands_of_more_than_five_dice_take_two() -> None:
    ((_, _, data),) = packed(
        record(game(dealt("4x2", "!", hands=["1" * 6, "*" * 6]), seats=2, dice=6))
    )
    assert len(data) == 1 + 4 + 1


def test_a_dealt_game_of_four_seats_takes_at_most_150_bytes() -> None:
    with gzip.open(SEASON) as lines:
        games = [record(json.loads(line)) for line in lines]
    sizes = [
        sum(len(data) for _, _, data in packed(dealt_game))
        for dealt_game in games
        if len(dealt_game.seats) == 4
        and not dealt_game.rules.reroll
        and dealt_game.rounds[0].level == "dealt"
    ]
    assert sizes
    assert max(sizes) <= 150


@given(st.binary(max_size=12), st.lists(st.integers(0, 7), min_size=2, max_size=6))
def test_bytes_that_are_no_round_are_refused_or_read(data: bytes, owned: list[int]) -> None:
    try:
        unpacked = unpack_round(data, owned)
    except ValueError:
        return
    assert unpacked.level in ("result", "challenge", "bids", "dice", "dealt", "forfeit", "clock")


@pytest.mark.parametrize(
    "data",
    [
        b"",  # nothing
        b"\x07",  # no such level
        b"\x13",  # no opener
        b"\x12\x03",  # no such opener
        b"\x05\x08",  # no such seat leaves
        b"\x04\xfc\x00\x00",  # no such hand
        b"\x02\xdd",  # no such move
        b"\x02\xdc",  # a lay-out without its bid
        b"\x02\xdc\xdc\x01\x00",  # with no such bid
        b"\x02\xdc\x01\xff\x00",  # with too many dice
        b"\x00\x01\x01",  # losses of two seats
        b"\x01\x33",  # no such bidder
    ],
)
def test_bytes_that_are_no_round(data: bytes) -> None:
    with pytest.raises(ValueError, match="no round"):
        unpack_round(data, [5, 5, 5])


@given(st.integers())
def test_whole_games_are_packed_and_unpacked_by_the_dice_that_the_seats_own(seed: int) -> None:
    whole = record(random_game(seed))
    rounds = list(canonical(whole.rounds))
    assert list(unpack(whole.start(), list(pack(whole.start(), rounds)))) == rounds


def test_a_stored_round_with_a_fault_is_found() -> None:
    ((fact, owned, _),) = packed(record(game(bids("4x2", "5x2", count=4))))
    no_raise = pack_round(fact._replace(moves=(fact.moves[0], *fact.moves)), owned)
    with pytest.raises(ValueError, match="4x2 does not raise 4x2"):
        list(unpack(record(game()).start(), [no_raise]))
