"""Stored games re-verified in bulk: the same verdict as the checker's, and nothing false gets by."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bluff.game import Game
from engine.bluff.ruleset import Ruleset
from engine.illegal import Illegal
from engine.record.bluff.replay import replay_round
from engine.record.canonical import canonical_header, canonical_rounds, digests, first_digest, next_digest
from engine.record.check import check
from engine.record.record import Record
from engine.record.reverify import position, verify_stored, walk
from engine.record.stored import pack_record
from tests.engine.record.build import dealt, game, record, revealed
from tests.engine.record.fair import bluff, kniffel
from tests.engine.record.simulated import random_game

Stored = tuple[str, list[bytes], list[bytes]]


def stored(told: Record) -> Stored:
    return canonical_header(told).decode(), pack_record(told), digests(told)


def fault(told: Stored) -> tuple[str, int | None]:
    error = verify_stored(*told).error
    assert error is not None
    return error.code, error.round if error.turn is None else error.turn


def same_as_checked(told: Record) -> None:
    found, expected = verify_stored(*stored(told)), check(told)
    assert found.ok
    assert (found.id, found.game) == (told.id, told.game)
    assert (found.over, found.rank, found.points) == (expected.over, expected.rank, expected.points)
    assert found.cntdice == expected.cntdice


@given(st.integers(0, 500))
@settings(max_examples=60)
def test_a_dealt_game_comes_to_what_the_checker_says(seed: int) -> None:
    same_as_checked(bluff(seed))
    told = bluff(seed, reroll=False)
    same_as_checked(replace(told, rounds=told.rounds[:-1]))


@given(st.integers())
@settings(max_examples=60)
def test_a_game_of_any_level_comes_to_what_the_checker_says(seed: int) -> None:
    same_as_checked(record(random_game(seed)))


def test_rounds_that_tell_the_dice_when_the_cups_went_up_are_plain_too() -> None:
    told = record(game(revealed("4x2", "!"), revealed("3x*", "!", hands=["12345", "2245", "1133*"])))
    assert walk(position(Ruleset(), (5, 5, 5), 0), pack_record(told)) is not None
    same_as_checked(told)


def test_a_game_of_luegen_kniffel_comes_to_what_the_checker_says() -> None:
    same_as_checked(kniffel())


def test_the_path_of_a_plain_game_tells_who_owns_what_and_who_opens() -> None:
    told = record(game(dealt("4x2", "!"), dealt("5x2", "6x2", "!", hands=["12345", "2245", "1133*"])))
    path = walk(position(Ruleset(), (5, 5, 5), 0), pack_record(told))
    assert path is not None
    assert [here.owned for here in path] == [(5, 5, 5), (5, 4, 5), (5, 2, 5)]
    assert [here.live[0] for here in path] == [0, 0, 2]
    assert not path[-1].over


def test_a_position_is_made_once() -> None:
    assert position(Ruleset(), (5, 5), 0) is position(Ruleset(), (5, 5), 0)


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
def test_bytes_are_taken_for_a_plain_round_only_where_the_replay_takes_them_too(data: bytes) -> None:
    path = walk(position(Ruleset(), (5, 5), 0), (data,))
    if path is None:
        return
    played = Game(Ruleset(), 2, 0)
    assert not isinstance(replay_round(played, data, 0, last=True), Illegal)
    assert (tuple(played.owned), played.opener) == (path[1].owned, path[1].live[0])


PLAIN = stored(bluff(5, seats=3, dice=5, reroll=False))


@pytest.mark.parametrize(
    "body", [b"", b"\x24", b"\x24\x00\x00\x00", b"\x24\xff\x00\x00\x05", b"\x24\x00\x00\x00\x05\xdc"]
)
def test_bytes_that_are_no_round_are_found(body: bytes) -> None:
    header, bodies, chain = PLAIN
    assert verify_stored(header, [body, *bodies[1:]], chain).error is not None


def test_a_bid_that_is_no_raise_and_a_round_after_the_end_are_not_plain() -> None:
    start = position(Ruleset(dice=1), (1, 1), 0)
    good, again = b"\x24\x00\x00\x08\x09", b"\x24\x00\x00\x08\x08"
    path = walk(start, (good,))
    assert path is not None
    assert path[-1].over
    assert walk(start, (again,)) is None
    assert walk(start, (good, good)) is None


def test_a_round_after_the_end_is_found() -> None:
    header, bodies, chain = PLAIN
    assert fault((header, [*bodies, bodies[0]], chain)) == ("bad_record", None)


@pytest.mark.parametrize("told", [PLAIN, stored(kniffel()), stored(record(random_game(1)))])
def test_a_digest_that_is_false_or_missing_is_found(told: Stored) -> None:
    header, bodies, chain = told
    assert fault((header, bodies, [chain[0], bytes(32), *chain[2:]])) == ("digest_mismatch", 0)
    assert fault((header, bodies, chain[:-1])) == ("digest_mismatch", None)
    assert fault((header, bodies[:-1], chain)) == ("digest_mismatch", None)


@given(st.data())
@settings(max_examples=60)
def test_a_stored_byte_that_changed_is_found(data: st.DataObject) -> None:
    header, bodies, chain = PLAIN
    number = data.draw(st.integers(0, len(bodies) - 1))
    at = data.draw(st.integers(0, len(bodies[number]) - 1))
    body = bytearray(bodies[number])
    body[at] ^= data.draw(st.integers(1, 255))
    assert not verify_stored(header, [*bodies[:number], bytes(body), *bodies[number + 1 :]], chain).ok


def test_an_announcement_that_nobody_can_write_is_found() -> None:
    header, bodies, chain = stored(kniffel())
    body = bodies[0][:1] + b"\xff" + bodies[0][2:]
    assert fault((header, [body, *bodies[1:]], chain)) == ("bad_record", None)


@pytest.mark.parametrize("number", [0, 1])
def test_a_bit_that_tells_nothing_is_found_too(number: int) -> None:
    header, bodies, chain = PLAIN
    body = bytes([bodies[number][0] | 128]) + bodies[number][1:]
    assert fault((header, [*bodies[:number], body, *bodies[number + 1 :]], chain)) == ("bad_record", None)


def test_a_header_that_changed_is_found() -> None:
    header, bodies, chain = PLAIN
    blanks = json.dumps(json.loads(header))
    sealed = [first_digest(blanks.encode())]
    for told in canonical_rounds(bluff(5, seats=3, dice=5, reroll=False)):
        sealed.append(next_digest(sealed[-1], told))
    assert fault((blanks, bodies, chain)) == ("digest_mismatch", None)
    assert fault((blanks, bodies, sealed)) == ("digest_mismatch", None)
    assert fault((header.replace("anna", "ANNA"), bodies, chain)) == ("digest_mismatch", None)
    for nothing in ("{}", '{"game":"bluff"}'):
        assert fault((nothing, bodies, chain)) == ("bad_record", None)
