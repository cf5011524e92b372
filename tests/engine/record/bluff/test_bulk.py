"""Stored games of Bluff walked straight from their bytes come to what the one place of settling says."""

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bluff.game import Game
from engine.bluff.ruleset import Ruleset
from engine.illegal import Illegal
from engine.record.bluff.bulk import bulk, round_start, walk
from engine.record.bluff.compact import unpack_round
from engine.record.bluff.settle import settle
from engine.record.canonical import canonical_rounds
from engine.record.check import check
from engine.record.record import Record
from engine.record.stored import pack_record
from tests.engine.record.build import dealt, game, record, revealed
from tests.engine.record.fair import bluff


def walked(told: Record) -> None:
    """The walk finds the same rounds and the same ending as reading and checking."""
    found = bulk(told.start(), pack_record(told))
    assert found is not None
    assert list(found.canonical) == canonical_rounds(told)
    assert found.ending == check(told).ending


def test_rounds_that_tell_the_dice_when_the_cups_went_up_are_plain_too() -> None:
    told = record(game(revealed("4x2", "!"), revealed("3x*", "!", hands=["12345", "2245", "1133*"])))
    assert walk(round_start(Ruleset(), (5, 5, 5), 0), pack_record(told)) is not None
    walked(told)


@given(st.integers(0, 500))
@settings(max_examples=40)
def test_a_dealt_game_without_lay_outs_can_be_walked(seed: int) -> None:
    told = bluff(seed, dice=1 + seed % 5, reroll=False)
    walked(told)
    walked(told.first(len(told.rounds) - 1))


def test_hands_of_six_dice_take_two_bytes_and_cannot_be_walked() -> None:
    told = bluff(1, dice=6, reroll=False)
    assert bulk(told.start(), pack_record(told)) is None


def test_the_path_of_a_plain_game_tells_who_owns_what_and_who_opens() -> None:
    told = record(game(dealt("4x2", "!"), dealt("5x2", "6x2", "!", hands=["12345", "2245", "1133*"])))
    way = walk(round_start(Ruleset(), (5, 5, 5), 0), pack_record(told))
    assert way is not None
    assert [here.owned for here in way.starts] == [(5, 5, 5), (5, 4, 5), (5, 2, 5)]
    assert [here.live[0] for here in way.starts] == [0, 0, 2]
    assert way.exits == []


def test_the_start_of_a_round_is_made_once() -> None:
    assert round_start(Ruleset(), (5, 5), 0) is round_start(Ruleset(), (5, 5), 0)


ROUND = st.one_of(
    st.binary(max_size=8),
    st.builds(
        lambda level, hands, bids: bytes([level, *hands, *bids]),
        st.sampled_from([35, 36]),
        st.lists(st.integers(0, 255), min_size=2, max_size=2),
        st.lists(st.integers(0, 225), max_size=4).map(sorted),
    ),
)


@given(ROUND)
@settings(max_examples=300)
def test_bytes_are_taken_for_a_plain_round_only_where_they_settle_too(data: bytes) -> None:
    way = walk(round_start(Ruleset(), (5, 5), 0), (data,))
    if way is None:
        return
    played = Game(Ruleset(), 2, 0)
    assert not isinstance(settle(played, unpack_round(data, played.owned), ""), Illegal)
    assert (tuple(played.owned), played.opener) == (way.starts[1].owned, way.starts[1].live[0])


def test_a_bid_that_is_no_raise_and_a_round_after_the_end_are_not_plain() -> None:
    start = round_start(Ruleset(dice=1), (1, 1), 0)
    good, again = b"\x24\x00\x00\x08\x09", b"\x24\x00\x00\x08\x08"
    way = walk(start, (good,))
    assert way is not None
    assert [gone.seats for gone in way.exits] == [(1,)]
    assert walk(start, (again,)) is None
    assert walk(start, (good, good)) is None
