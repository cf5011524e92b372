"""Names are not sealed, only commitments to them: so a player can be erased, and every digest still
holds."""

import json
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.illegal import Illegal
from engine.record.canonical import canonical_header, content_digest, digests
from engine.record.export import export
from engine.record.names import Name
from engine.record.record import read, with_names
from engine.record.stored import is_same_game
from engine.record.verify import verify, verify_line
from engine.record.write import write
from tests.engine.record.build import SALTS, bids, fault, game, named, record

ZEROS = "00" * 32
WRITTEN = game(bids("4x2", count=5))
HEAD = digests(named(WRITTEN))[-1]


def erased(seat: int, pseudonym: str = "player-7f") -> Any:
    """The game after the player of a seat was erased: a pseudonym, and the commitment as it
    stands."""
    whole = named(WRITTEN)
    assert whole.names is not None
    seats, names = list(whole.seats), list(whole.names)
    names[seat] = Name(commitment=names[seat].sealed(seats[seat]))
    seats[seat] = pseudonym
    return replace(whole, seats=tuple(seats), names=tuple(names))


def test_anybody_can_recompute_a_commitment() -> None:
    expected = sha256(b"cups-up/name/1\n" + bytes(16) + "Björn".encode()).digest()
    assert Name(bytes(16)).sealed("Björn") == expected
    assert Name(commitment=expected).sealed("player-7f") == expected


def test_the_canonical_header_holds_commitments_and_no_handle() -> None:
    header = canonical_header(named(WRITTEN)).decode()
    assert json.loads(header)["seats"] == [
        sha256(b"cups-up/name/1\n" + salt + handle.encode()).hexdigest()
        for salt, handle in zip(SALTS, ["anna", "bea", "cem"], strict=False)
    ]
    assert "anna" not in header


def test_another_name_or_another_salt_gives_other_digests() -> None:
    assert digests(named(WRITTEN | {"seats": ["anna", "bea", "cemil"]}))[-1] != HEAD
    assert digests(with_names(record(WRITTEN), SALTS[1:4]))[-1] != HEAD


@given(st.integers(0, 2))
def test_who_is_erased_changes_no_digest(seat: int) -> None:
    gone = erased(seat)
    assert digests(gone) == digests(named(WRITTEN))
    line = export(gone)
    assert verify_line(line).proved == ("rules", "digests", "seal")
    assert f'"{["anna", "bea", "cem"][seat]}"' not in line.decode()


def test_a_name_has_either_a_salt_or_a_commitment() -> None:
    for wrong in (
        {},
        {"salt": bytes(15)},
        {"commitment": bytes(16)},
        {"salt": bytes(16), "commitment": bytes(32)},
    ):
        with pytest.raises(ValueError, match="either a salt of 16 bytes or a commitment of 32"):
            Name(**wrong)


def test_a_name_is_known_by_the_size_of_its_seal() -> None:
    for seal in (bytes(16), bytes(32)):
        assert Name.of(seal).seal == seal
    assert Name.of(bytes(16)) == Name(salt=bytes(16))
    with pytest.raises(ValueError, match="either a salt"):
        Name.of(bytes(20))


def test_there_is_a_salt_for_each_seat() -> None:
    with pytest.raises(ValueError, match="there are 3 seats, not 2"):
        with_names(record(WRITTEN), SALTS[:2])


def test_a_record_without_names_has_no_digests() -> None:
    with pytest.raises(ValueError, match="without names"):
        digests(record(WRITTEN))
    with pytest.raises(ValueError, match="without names"):
        export(record(WRITTEN))


def test_names_are_written_as_they_are_read() -> None:
    for written in (named(WRITTEN), erased(1)):
        assert read(write(written)) == written
    assert json.loads(write(erased(0)))["names"][:2] == [
        {"commitment": Name(SALTS[0]).sealed("anna").hex()},
        {"salt": SALTS[1].hex()},
    ]


@pytest.mark.parametrize(
    ("names", "wrong"),
    [
        ({}, "bad_record names"),
        ([{"salt": "00" * 16}] * 2, "bad_record names"),
        ([{"salt": "00" * 16}] * 2 + [{}], "bad_record names[2]"),
        (
            [{"salt": "00" * 16}] * 2 + [{"salt": "00" * 16, "commitment": ZEROS}],
            "bad_record names[2]",
        ),
        ([{"salt": "00" * 15}] * 3, "bad_record names[0].salt"),
        ([{"commitment": "00" * 16}] * 3, "bad_record names[0].commitment"),
        ([{"pepper": "00" * 16}] * 3, "unknown_key names[0].pepper"),
        ([None] * 3, "bad_record names[0]"),
    ],
)
def test_what_are_no_names(names: Any, wrong: str) -> None:
    assert fault(WRITTEN | {"names": names}) == wrong


@pytest.mark.parametrize("key", [{"digests": [ZEROS, ZEROS]}, {"seal": ZEROS}])
def test_a_record_that_brings_digests_brings_its_salts(key: dict[str, Any]) -> None:
    answer = read(json.dumps(WRITTEN | key))
    assert isinstance(answer, Illegal)
    assert (answer.code, answer.path) == ("bad_record", "names")
    assert "a record with digests must have its salts" in answer.message


def test_names_alone_prove_nothing_and_break_nothing() -> None:
    assert verify(named(WRITTEN)).proved == ("rules",)


def test_two_records_of_the_same_game_have_the_same_content() -> None:
    assert content_digest(named(WRITTEN)) == content_digest(record(WRITTEN))
    assert content_digest(record(WRITTEN | {"seats": ["anna", "bea", "cemil"]})) != content_digest(
        record(WRITTEN)
    )
    assert content_digest(record(game(bids("4x2", count=6)))) != content_digest(record(WRITTEN))


def test_a_record_sent_again_without_its_names_is_the_same_game() -> None:
    names = named(WRITTEN).names or ()
    assert is_same_game(record(WRITTEN), names, HEAD)
    assert is_same_game(with_names(record(WRITTEN), SALTS[1:4]), names, HEAD)
    assert not is_same_game(record(game(bids("4x2", count=6))), names, HEAD)
    assert not is_same_game(record(WRITTEN | {"seats": ["anna", "bea", "cemil"]}), names, HEAD)
    assert not is_same_game(record(game(bids("4x2", count=5), seats=2)), names, HEAD)


def test_a_record_sent_again_after_a_player_was_erased_is_the_same_game_too() -> None:
    names = erased(1).names
    assert is_same_game(record(WRITTEN), names, HEAD)
    assert is_same_game(record(WRITTEN | {"seats": ["anna", "somebody", "cem"]}), names, HEAD)
    assert not is_same_game(record(WRITTEN | {"seats": ["somebody", "bea", "cem"]}), names, HEAD)
