"""A receipt holds one entry of a log and all before it: no other log fits, and no typing error
passes."""

import json
import string
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.illegal import Refused
from engine.record.club_log import commitment, entry_json, first_digest, next_digest
from engine.record.receipt import ALPHABET, DIGEST_LENGTH, Receipt, check_receipt, read_receipt

CLUB = "k3xq8m2wpd"
SALT = bytes(range(16))
WHY = "Ben's die lay under the cup."
LENGTH = 5
DIGESTS = st.binary(min_size=32, max_size=32)
CLUBS = st.text("23456789bcdfghjkmnpqrstvwxz", min_size=10, max_size=10)
RECEIPTS = st.builds(Receipt.of, CLUBS, st.integers(1, 2**31 - 1), DIGESTS)
LETTERS = string.digits + string.ascii_letters
GOLDEN = "k3xq8m2wpd 3 000G-40R4-0M30-E209-185G-R38E-1W6P"


def entry(position: int, rank: int = 1) -> dict[str, Any]:
    return entry_json(
        position=position,
        action="game.sealed",
        subject="d5rw2zk8mn",
        payload={"rank": rank, "reason": commitment(SALT, WHY)},
        actor=None,
        request="",
        reason="",
        at=datetime(2026, 3, position, 18, 30, tzinfo=UTC),
    )


def log(club: str = CLUB, rewritten: int | None = None, length: int = LENGTH) -> list[bytes]:
    """An export; `rewritten` is the number of an entry that tells something else, with all digests
    made to fit."""
    digest = first_digest(club)
    lines = [json.dumps({"club": club}).encode() + b"\n"]
    for position in range(1, length + 1):
        sealed = entry(position, rank=2 if position == rewritten else 1)
        digest = next_digest(digest, sealed)
        beside = {"digest": digest.hex(), "names": {"reason": [SALT.hex(), WHY]}}
        lines.append(json.dumps(sealed | beside, separators=(",", ":")).encode() + b"\n")
    return lines


def receipt_of(lines: list[bytes], position: int) -> Receipt:
    return Receipt.of(CLUB, position, bytes.fromhex(json.loads(lines[position])["digest"]))


def code(lines: list[bytes], receipt: Receipt) -> str:
    """The code of what is false; nothing if the receipt fits."""
    error = check_receipt(lines, receipt).error
    return error.code if error else ""


def refused(text: str) -> str:
    with pytest.raises(Refused) as caught:
        read_receipt(text)
    assert caught.value.illegal.code == "bad_receipt"
    return caught.value.illegal.message


@given(RECEIPTS)
def test_what_is_written_is_read_again(receipt: Receipt) -> None:
    assert read_receipt(str(receipt)) == receipt


@given(RECEIPTS, st.text(max_size=30), st.text(max_size=30))
def test_it_is_found_in_the_text_around_it(receipt: Receipt, before: str, after: str) -> None:
    assert read_receipt(f"{before} {receipt} {after}") == receipt
    assert read_receipt(f"Round 2: table 3, Becherkeller\n{receipt}.") == receipt


@given(RECEIPTS)
def test_neither_case_nor_hyphens_matter_nor_o_for_0_nor_i_and_l_for_1(receipt: Receipt) -> None:
    *words, letters = str(receipt).split()
    dictated = letters.replace("0", "O").replace("1", "l")
    for way in (
        letters.lower(),
        letters.replace("-", ""),
        letters.replace("-", " "),
        letters.replace("-", "–"),
        dictated,
    ):
        assert read_receipt(" ".join((*words, way))) == receipt
    assert read_receipt(str(receipt).upper()) == receipt


@given(RECEIPTS, st.data())
def test_no_single_wrong_letter_is_read_as_another_receipt(
    receipt: Receipt, data: st.DataObject
) -> None:
    text = str(receipt)
    place = data.draw(
        st.sampled_from([place for place, letter in enumerate(text) if letter.isalnum()])
    )
    mistyped = text[:place] + data.draw(st.sampled_from(LETTERS)) + text[place + 1 :]
    with suppress(Refused):
        assert read_receipt(mistyped) == receipt


@given(RECEIPTS, st.data())
def test_no_two_neighbours_change_places_unseen(receipt: Receipt, data: st.DataObject) -> None:
    text = str(receipt)
    pairs = [place for place in range(len(text) - 1) if text[place : place + 2].isalnum()]
    place = data.draw(st.sampled_from(pairs))
    swapped = text[:place] + text[place + 1] + text[place] + text[place + 2 :]
    if swapped != text:
        refused(swapped)


def test_no_single_wrong_character_at_all_ever_fits() -> None:
    """Of letters, blanks, signs, left out and put in."""
    lines = log()
    text = str(receipt_of(lines, 3))
    for place in range(len(text)):
        for typed in ("", *LETTERS, *" -.:ü", *(text[place] + letter for letter in LETTERS)):
            mistyped = text[:place] + typed + text[place + 1 :]
            try:
                receipt = read_receipt(mistyped)
            except Refused:
                continue
            assert receipt == receipt_of(lines, 3) or code(lines, receipt), mistyped


def test_a_typing_error_and_a_text_without_a_receipt_are_told_apart() -> None:
    text = str(receipt_of(log(), 3))
    wrong = text[:-1] + ("2" if text[-1] != "2" else "3")
    assert "typo" in refused(wrong)
    assert "isn't a receipt" in refused("Game sealed, Becherkeller")
    assert "isn't a receipt" in refused("")
    assert "isn't a receipt" in refused(text[:-1])
    assert "isn't a receipt" in refused(text.replace(" 3 ", " 0 "))


def test_the_form_is_frozen() -> None:
    receipt = Receipt.of(CLUB, 3, bytes(range(32)))
    assert str(receipt) == GOLDEN
    assert read_receipt(f"Becherkeller: {GOLDEN}") == receipt


def test_it_holds_130_bits_of_the_digest_and_no_letter_that_looks_like_another() -> None:
    assert DIGEST_LENGTH * 5 == 130
    assert len(set(ALPHABET)) == 32
    assert not set("ILOU") & set(ALPHABET)


@pytest.mark.parametrize("position", range(1, LENGTH + 1))
def test_it_fits_the_log_that_it_was_given_for_and_names_the_entry(position: int) -> None:
    verdict = check_receipt(log(), receipt_of(log(), position))
    assert verdict.error is None
    assert verdict.as_json() == {
        "receipt": str(receipt_of(log(), position)),
        "ok": True,
        "position": position,
        "action": "game.sealed",
        "subject": "d5rw2zk8mn",
        "at": f"2026-03-0{position}T18:30:00.000000+00:00",
    }


@pytest.mark.parametrize("rewritten", [1, 2, 3])
def test_a_log_that_was_rewritten_consistently_fits_no_more(rewritten: int) -> None:
    assert code(log(rewritten=rewritten), receipt_of(log(), 3)) == "receipt_mismatch"


def test_what_follows_the_entry_may_be_anything() -> None:
    receipt = receipt_of(log(), 3)
    assert code(log(rewritten=4), receipt) == ""
    assert code(log(length=3), receipt) == ""
    assert code([*log(length=3), b"no entry\n", b"\xff"], receipt) == ""


@given(st.data())
def test_one_byte_changed_at_the_entry_or_before_it_is_found(data: st.DataObject) -> None:
    lines = log()
    receipt = receipt_of(lines, 3)
    portion = b"".join(lines[:4])
    place = data.draw(st.integers(0, len(portion) - 2))  # the last one only ends the line
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != portion[place]))
    changed = portion[:place] + bytes([byte]) + portion[place + 1 :]
    said = changed.decode("utf-8", "replace").lower() == portion.decode().lower()
    is_in_salt = said and SALT.hex().encode() in portion[max(place - 31, 0) : place + 32]
    assert code(changed.splitlines(keepends=True) + lines[4:], receipt) or is_in_salt


def test_other_log_missing_entry_and_broken_log_have_codes() -> None:
    lines = log()
    receipt = receipt_of(lines, 4)
    assert code(log(club="2wpdk3xq8m"), receipt) == "other_log"
    assert code(lines[:4], receipt) == "entry_missing"
    assert code([lines[0], *lines[2:]], receipt) == "out_of_turn"
    assert code([b"{}\n", *lines[1:]], receipt) == "bad_log"
    assert code([], receipt) == "bad_log"
    assert code(lines, Receipt(CLUB, 9_999_999_999, receipt.code)) == "entry_missing"


def test_a_text_of_any_length_is_read_in_a_moment() -> None:
    refused("k3xq8m2wpd 1 " * 20_000)
    refused("A" * 300_000)
    refused("1 " * 5_000)


def test_an_entry_whose_words_were_forgotten_fits_as_ever() -> None:
    lines = log()
    forgotten = [json.loads(line) for line in lines]
    for row in forgotten:
        row.pop("names", None)
    assert code([json.dumps(row).encode() for row in forgotten], receipt_of(lines, 3)) == ""
