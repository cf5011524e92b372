"""Stored games replayed and verified: the same verdict as the checker's, and nothing false gets
by."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.record.bluff.compact import ENDED
from engine.record.canonical import digests
from engine.record.check import check, replay
from engine.record.export import export
from engine.record.header import stored_header
from engine.record.names import Name
from engine.record.record import Record
from engine.record.stored import replay_stored, replay_unpacked, unpack_record
from tests.engine.record.build import named
from tests.engine.record.fair import bluff, kniffel
from tests.engine.record.simulated import random_game
from tests.engine.record.stored import Stored, stored, stored_fault


def fault(game: Stored, **change: object) -> tuple[str, int | None]:
    error = stored_fault(game._replace(**change))  # type: ignore[arg-type]
    assert error is not None
    return error.code, error.round_number if error.turn is None else error.turn


def same_as_checked(game: Record) -> None:
    header, handles, _, bodies, _ = stored(game)
    found, expected = replay_stored(header, handles, bodies), check(game)
    assert found.ok
    assert (found.record_id, found.kind) == (game.record_id, game.kind)
    assert (found.over, found.rank, found.points) == (expected.over, expected.rank, expected.points)
    assert found.ending.cntdice == expected.ending.cntdice
    assert stored_fault(stored(game)) is None


@given(st.integers(0, 500))
@settings(max_examples=60)
def test_a_dealt_game_comes_to_what_the_checker_says(seed: int) -> None:
    same_as_checked(bluff(seed))
    game = bluff(seed, reroll=False)
    same_as_checked(game.first(len(game.rounds) - 1))


@given(st.integers())
@settings(max_examples=60)
def test_a_game_of_any_level_comes_to_what_the_checker_says(seed: int) -> None:
    same_as_checked(named(random_game(seed)))


def test_a_game_of_luegen_kniffel_comes_to_what_the_checker_says() -> None:
    same_as_checked(kniffel())


@given(st.integers())
@settings(max_examples=60)
def test_a_stored_game_is_the_record_again_in_canonical_form(seed: int) -> None:
    game = named(random_game(seed))
    header, handles, names, bodies, chain = stored(game)
    again = unpack_record(header, handles, names, bodies)
    assert digests(again) == chain
    assert stored(again) == stored(game)
    assert unpack_record(header, handles, None, bodies) == replace(again, names=None)


@given(st.integers())
@settings(max_examples=60)
def test_an_unpacked_game_is_replayed_from_its_bytes(seed: int) -> None:
    for game in (bluff(seed % 500, reroll=bool(seed % 2)), named(random_game(seed)), kniffel()):
        header, handles, names, bodies, _ = stored(game)
        record = unpack_record(header, handles, names, bodies)
        found = replay_unpacked(record, bodies)
        assert found.ok
        assert found.ending == replay(record).ending
        assert export(record, verdict=found) == export(record)


def test_an_unpacked_game_with_an_open_round_before_the_last_has_a_fault() -> None:
    header, handles, names, bodies, _ = PLAIN
    first = bytes([bodies[0][0] & ~ENDED]) + bodies[0][1:]
    record = unpack_record(header, handles, names, [first, first])
    verdict = replay_unpacked(record, [first, first])
    assert verdict.error is not None
    assert verdict.error.code == "no_challenge"
    with pytest.raises(ValueError, match="don't end with a challenge"):
        export(record, verdict=verdict)


def test_a_stored_header_tells_no_name() -> None:
    header = stored_header(bluff(5, seats=3))
    assert "seats" not in json.loads(header)
    assert not any(handle in header for handle in ("anna", "björn", "cem"))


PLAIN = stored(bluff(5, seats=3, dice=5, reroll=False))
KNIFFEL = stored(kniffel())


@pytest.mark.parametrize(
    "body",
    [b"", b"\x24", b"\x24\x00\x00\x00", b"\x24\xff\x00\x00\x05", b"\x24\x00\x00\x00\x05\xdc"],
)
def test_bytes_that_are_no_round_are_found(body: bytes) -> None:
    assert fault(PLAIN, bodies=[body, *PLAIN.bodies[1:]])[0] == "bad_record"


def test_a_round_after_the_end_is_found() -> None:
    assert fault(PLAIN, bodies=[*PLAIN.bodies, PLAIN.bodies[0]]) == ("bad_record", None)


@pytest.mark.parametrize("game", [PLAIN, KNIFFEL, stored(named(random_game(1)))])
def test_a_digest_that_is_false_or_missing_is_found(game: Stored) -> None:
    chain = game.digests
    assert fault(game, digests=[chain[0], bytes(32), *chain[2:]]) == ("digest_mismatch", 0)
    assert fault(game, digests=chain[:-1]) == ("digest_mismatch", None)
    assert fault(game, bodies=game.bodies[:-1]) == ("digest_mismatch", None)


@given(st.data())
@settings(max_examples=60)
def test_a_stored_byte_that_changed_is_found(data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(PLAIN.bodies) - 1))
    at = data.draw(st.integers(0, len(PLAIN.bodies[number]) - 1))
    body = bytearray(PLAIN.bodies[number])
    body[at] ^= data.draw(st.integers(1, 255))
    fault(PLAIN, bodies=[*PLAIN.bodies[:number], bytes(body), *PLAIN.bodies[number + 1 :]])


def test_an_announcement_that_nobody_can_write_is_found() -> None:
    body = KNIFFEL.bodies[0][:1] + b"\xff" + KNIFFEL.bodies[0][2:]
    assert fault(KNIFFEL, bodies=[body, *KNIFFEL.bodies[1:]]) == ("no_such_announcement", 0)


@pytest.mark.parametrize("number", [0, 1])
def test_a_bit_that_tells_nothing_is_found_too(number: int) -> None:
    bodies = list(PLAIN.bodies)
    bodies[number] = bytes([bodies[number][0] | 128]) + bodies[number][1:]
    assert fault(PLAIN, bodies=bodies) == ("bad_record", None)


def test_a_replay_asks_for_no_digest_and_finds_what_is_against_the_rules() -> None:
    header, handles, _, bodies, _ = PLAIN
    assert replay_stored(header, ("x", "y", "z"), bodies).ok
    error = replay_stored(header, handles, [b"\x24", *bodies[1:]]).error
    assert error is not None
    assert error.code == "bad_record"
    error = replay_stored(
        KNIFFEL.header, KNIFFEL.handles, [KNIFFEL.bodies[0][:1] + b"\xff" + KNIFFEL.bodies[0][2:]]
    ).error
    assert error is not None
    assert (error.code, error.turn) == ("no_such_announcement", 0)


def test_a_header_that_changed_is_found() -> None:
    assert fault(PLAIN, header=json.dumps(json.loads(PLAIN.header))) == ("digest_mismatch", None)
    assert fault(PLAIN, header=PLAIN.header.replace('"opener":0', '"opener":1'))[0] in (
        "bad_record",
        "digest_mismatch",
    )
    for nothing in ("{}", '{"game":"bluff"}', "nonsense"):
        assert fault(PLAIN, header=nothing) == ("bad_record", None)


def test_a_name_that_changed_is_found() -> None:
    assert fault(PLAIN, handles=("ANNA", "björn", "cem")) == ("digest_mismatch", None)
    assert fault(PLAIN, names=PLAIN.names[::-1]) == ("digest_mismatch", None)
    assert fault(PLAIN, names=PLAIN.names[:2]) == ("bad_record", None)
    assert fault(PLAIN, handles=("anna", "anna", "cem")) == ("bad_record", None)


def test_a_player_who_was_erased_breaks_nothing() -> None:
    names = (Name(commitment=PLAIN.names[0].sealed("anna")), *PLAIN.names[1:])
    erased = PLAIN._replace(handles=("player-7f", "björn", "cem"), names=names)
    assert stored_fault(erased) is None
