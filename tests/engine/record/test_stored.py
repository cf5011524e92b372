"""Stored games re-verified in bulk: the same verdict as the checker's, and nothing false gets by."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.record.canonical import canonical_header, canonical_rounds, digests, first_digest, next_digest
from engine.record.check import check
from engine.record.record import Record
from engine.record.stored import pack_record, verify_stored
from tests.engine.record.build import record
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
    assert (found.id, found.kind) == (told.id, told.kind)
    assert (found.over, found.rank, found.points) == (expected.over, expected.rank, expected.points)
    assert found.ending.cntdice == expected.ending.cntdice


@given(st.integers(0, 500))
@settings(max_examples=60)
def test_a_dealt_game_comes_to_what_the_checker_says(seed: int) -> None:
    same_as_checked(bluff(seed))
    told = bluff(seed, reroll=False)
    same_as_checked(told.first(len(told.rounds) - 1))


@given(st.integers())
@settings(max_examples=60)
def test_a_game_of_any_level_comes_to_what_the_checker_says(seed: int) -> None:
    same_as_checked(record(random_game(seed)))


def test_a_game_of_luegen_kniffel_comes_to_what_the_checker_says() -> None:
    same_as_checked(kniffel())


PLAIN = stored(bluff(5, seats=3, dice=5, reroll=False))


@pytest.mark.parametrize(
    "body", [b"", b"\x24", b"\x24\x00\x00\x00", b"\x24\xff\x00\x00\x05", b"\x24\x00\x00\x00\x05\xdc"]
)
def test_bytes_that_are_no_round_are_found(body: bytes) -> None:
    header, bodies, chain = PLAIN
    assert verify_stored(header, [body, *bodies[1:]], chain).error is not None


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
    assert fault((header, [body, *bodies[1:]], chain)) == ("no_such_announcement", 0)


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
