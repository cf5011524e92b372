"""What a handle may be: every character of it can be seen."""

import json

import pytest

from engine.illegal import Illegal
from engine.notation.text import parse
from engine.record.handle import handle_fault
from engine.record.record import Record, read

GAME = {"v": 1, "id": "evening-7", "game": "bluff", "rules": {}, "opener": 0, "rounds": []}


@pytest.mark.parametrize("handle", ["anna", "Anna B.", "Zoë", "李雷", "🎲🎲", "Ωmega", "O'Neil", "עדה", "a" * 64])
def test_what_can_be_seen_is_a_handle(handle: str) -> None:
    assert handle_fault(handle) is None


@pytest.mark.parametrize(
    "handle",
    [
        "an\u200bna", "anna\u200d", "\ufeffanna", "an\u00adna", "anna\u202e", "\u2066anna", "an\u2028na", "anna\ufe0f",
        "\u3164", "an\u00a0na", "\u2003anna", "an\u034fna", "anna\ue000", "anna\U000e0061", "\u2800",
    ],
)  # fmt: skip
def test_a_character_that_nobody_sees_is_refused(handle: str) -> None:
    assert handle_fault(handle) == "must not hold characters that nobody can see, such as those of width zero"


@pytest.mark.parametrize("handle", [" anna", "anna ", " "])
def test_blanks_around_a_handle_are_refused(handle: str) -> None:
    assert handle_fault(handle) == "must not begin or end with a blank"


def test_a_handle_is_composed() -> None:
    assert handle_fault("Zoe\u0308") == "must be in Unicode's composed form, NFC"


def test_a_record_with_such_a_handle_is_refused_by_a_code_of_its_own() -> None:
    refused = read(json.dumps(GAME | {"seats": ["anna", "an\u200bna"]}))
    assert isinstance(refused, Illegal)
    assert (refused.code, refused.path) == ("bad_handle", "seats[1]")
    assert isinstance(read(json.dumps(GAME | {"seats": ["anna", "Ännchen"]})), Record)


def test_so_is_a_text_at_its_line() -> None:
    (error,) = parse("cups-up notation 1\nGame: bluff\nId: x\nSeats: anna, an\u200bna\nOpener: anna\n").errors
    assert (error.code, error.line, error.column) == ("bad_handle", 4, 14)
