"""The keys `proof`, `digests` and `seal` as a record has them."""

import json
from typing import Any

import pytest

from engine.dice.chain import opened
from engine.dice.proof import Proof
from engine.record.canonical import canonical_header, digests
from engine.record.record import Record, read
from engine.record.write import write
from tests.engine.record.build import bids, fault, game, named, record, verdict
from tests.engine.record.fair import bluff, kniffel

ZEROS = "00" * 32
NAMES = [{"salt": "00" * 16}] * 3
LINK = {"next": ZEROS, "key": ZEROS}
PROOF = {"scheme": "cups-up/dice/1", "commitment": ZEROS, "seeds": ["", "c0ffee", "ff" * 32]}


def proved(**change: Any) -> dict[str, Any]:
    return game(bids("4x2", count=5)) | {"proof": PROOF | change}


def test_a_proof_is_read() -> None:
    expected = Proof(bytes(32), (b"", b"\xc0\xff\xee", b"\xff" * 32))
    assert record(proved()).proof == expected
    assert record(proved(links=[LINK])).proof == Proof(
        bytes(32), expected.seeds, (opened(bytes(32), bytes(32)),)
    )


def test_a_record_without_a_proof_has_none() -> None:
    plain = record(game())
    assert (plain.proof, plain.digests) == (None, None)


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"scheme": "cups-up/dice/3"}, "bad_record proof.scheme"),
        ({"commitment": None}, "bad_record proof.commitment"),
        ({"commitment": ZEROS[2:]}, "bad_record proof.commitment"),
        ({"commitment": ZEROS[1:]}, "bad_record proof.commitment"),
        ({"commitment": "FF" * 32}, "bad_record proof.commitment"),
        ({"seeds": ["", ""]}, "bad_record proof.seeds"),
        ({"seeds": ["", "", "ff" * 33]}, "bad_record proof.seeds[2]"),
        ({"seeds": ["", "0x", ""]}, "bad_record proof.seeds[1]"),
        ({"links": {}}, "bad_record proof.links"),
        ({"links": [LINK, {"next": ZEROS}]}, "bad_record proof.links[1]"),
        ({"links": [LINK | {"lock": ZEROS}]}, "bad_record proof.links[0]"),
        ({"links": [{"key": ZEROS}]}, "bad_record proof.links[0].next"),
        ({"links": [LINK | {"next": ""}]}, "bad_record proof.links[0].next"),
        ({"links": [LINK | {"key": ""}]}, "bad_record proof.links[0].key"),
        ({"links": [{"next": ZEROS, "lock": ""}]}, "bad_record proof.links[0].lock"),
        ({"secret": ZEROS}, "unknown_key proof.secret"),
    ],
)
def test_what_is_no_proof(change: dict[str, Any], wrong: str) -> None:
    assert fault(proved(**change)) == wrong


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"proof": []}, "bad_record proof"),
        ({"digests": ZEROS}, "bad_record digests"),
        ({"digests": [ZEROS, 1]}, "bad_record digests[1]"),
        ({"seal": [ZEROS]}, "bad_record seal"),
    ],
)
def test_what_are_no_digests_and_no_seal(change: dict[str, Any], wrong: str) -> None:
    assert fault(game() | change) == wrong


def test_the_checker_judges_the_game_alone() -> None:
    written = proved(links=[LINK]) | {"names": NAMES, "digests": [ZEROS], "seal": ZEROS}
    assert verdict(written).as_json() == verdict(game(bids("4x2", count=5))).as_json()


def test_what_was_published_before_the_game_is_part_of_its_first_digest() -> None:
    plain, before, after = (
        named(game(bids("4x2", count=5))),
        named(proved()),
        named(proved(links=[LINK])),
    )
    assert json.loads(canonical_header(after)) == json.loads(canonical_header(plain)) | {
        "proof": PROOF
    }
    assert digests(before) == digests(after)
    assert digests(before)[0] != digests(plain)[0]
    assert digests(before)[0] != digests(named(proved(commitment="01" * 32)))[0]


@pytest.mark.parametrize("whole", [bluff(), kniffel(), record(proved())])
def test_a_proof_is_written_as_it_is_read(whole: Record) -> None:
    assert read(write(whole)) == whole
    sealed = json.loads(write(whole)) | {
        "names": NAMES[:1] * len(whole.seats),
        "digests": [ZEROS],
        "seal": ZEROS,
    }
    again = read(json.dumps(sealed))
    assert isinstance(again, Record)
    assert again.digests == (bytes(32),)
    assert json.loads(write(again)) == {
        key: value for key, value in sealed.items() if key != "seal"
    }
