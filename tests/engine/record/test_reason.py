"""The header of a correction seals a commitment to its reason: the text can go, and every digest
still holds."""

import json
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest

from engine.illegal import Illegal
from engine.record.canonical import canonical_header, content_digest, digests
from engine.record.changes import record_changes
from engine.record.export import export
from engine.record.header import read_heading, sealed_reason, stored_header
from engine.record.names import Name
from engine.record.reason import LENGTH, SealedReason
from engine.record.record import Record, read
from engine.record.stored import is_same_game, pack_record, unpack_record
from engine.record.verify import verify_line
from engine.record.write import write
from tests.engine.record.build import bids, game, named
from tests.engine.record.stored import stored, stored_fault

PLAIN = named(game(bids("4x2", count=5)))
WHY = SealedReason(Name(salt=bytes(range(16))), "Anna said “four”,\nnot five.")
CORRECTION = replace(PLAIN, reason=WHY)
REMOVED = replace(PLAIN, reason=SealedReason(Name(commitment=WHY.commitment)))


def read_back(record: Record) -> Record:
    again = read(write(record))
    assert isinstance(again, Record)
    return again


def forged(**parts: Any) -> str:
    """What finds a change of the reason in an export, its digests left as they are."""
    line = json.loads(export(CORRECTION))
    line["reason"] |= parts
    error = verify_line(json.dumps(line).encode()).error
    assert error is not None
    return error.code


def test_anybody_can_recompute_the_commitment() -> None:
    expected = sha256(b"cups-up/name/1\n" + bytes(range(16)) + WHY.text.encode()).hexdigest()
    assert json.loads(canonical_header(CORRECTION))["reason"] == expected
    assert "Anna" not in canonical_header(CORRECTION).decode()


def test_a_game_without_a_reason_has_the_header_of_old() -> None:
    assert "reason" not in json.loads(canonical_header(PLAIN))
    assert digests(CORRECTION)[0] != digests(PLAIN)[0]


def test_a_removed_reason_changes_no_digest() -> None:
    assert digests(REMOVED) == digests(CORRECTION)
    assert b"Anna" not in export(REMOVED)


@pytest.mark.parametrize("record", [CORRECTION, REMOVED])
def test_it_is_written_read_exported_and_verified(record: Record) -> None:
    assert read_back(record) == record
    verified = verify_line(export(record))
    assert verified.ok
    assert verified.proved == ("rules", "digests", "seal")
    unchecked = any("reason for this correction" in sentence for sentence in verified.not_checked)
    assert unchecked == (record is REMOVED)


def test_another_text_another_salt_or_none_is_found() -> None:
    assert forged(text="Bea said four.") == "digest_mismatch"
    assert forged(salt="00" * 16) == "digest_mismatch"
    line = json.loads(export(CORRECTION))
    del line["reason"]
    found = verify_line(json.dumps(line).encode()).error
    assert found is not None
    assert found.code == "digest_mismatch"


@pytest.mark.parametrize(
    "value",
    [
        *(
            "why",
            {},
            {"text": "why"},
            {"salt": "00" * 16},
            {"salt": "00", "text": "why"},
            {"commitment": "00"},
        ),
        *({"salt": "00" * 16, "text": text} for text in ("", "x" * (LENGTH + 1), "\x00", 1)),
        {"salt": "00" * 16, "text": "why", "commitment": "00" * 32},
    ],
)
def test_what_is_no_reason_is_refused(value: Any) -> None:
    refused = read(json.dumps(json.loads(write(PLAIN)) | {"reason": value}))
    assert isinstance(refused, Illegal)
    assert refused.code == "bad_record"
    assert (refused.path or "").startswith("reason")


def test_a_stored_header_keeps_the_commitment_alone() -> None:
    header = stored_header(CORRECTION)
    assert sealed_reason(header) == REMOVED.reason
    assert sealed_reason(stored_header(PLAIN)) is None
    assert read_heading(header, CORRECTION.seats) is not None
    again = unpack_record(header, CORRECTION.seats, CORRECTION.names, pack_record(CORRECTION))
    assert digests(again) == digests(CORRECTION)


def test_stored_games_with_a_reason_verify() -> None:
    sealed = stored(CORRECTION)
    assert stored_fault(sealed) is None
    assert stored_fault(sealed._replace(header=stored_header(PLAIN))) is not None
    other = replace(CORRECTION, reason=SealedReason(Name(salt=bytes(16)), "Else."))
    assert stored_fault(sealed._replace(header=stored_header(other))) is not None


def test_the_reason_is_no_part_of_what_was_played() -> None:
    names = PLAIN.names or ()
    assert is_same_game(PLAIN, names, digests(CORRECTION)[-1], REMOVED.reason)
    assert is_same_game(CORRECTION, names, digests(PLAIN)[-1])
    assert not is_same_game(PLAIN, names, digests(CORRECTION)[-1])
    assert content_digest(CORRECTION) == content_digest(PLAIN)
    changes = record_changes(PLAIN, CORRECTION)
    assert (changes.header, changes.rounds) == ((), ())
