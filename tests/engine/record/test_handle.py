"""What a handle may be: every character of it can be seen."""

import json
import re

import pytest

from engine.illegal import Illegal
from engine.notation.text import parse
from engine.record.handle import handle_fault
from engine.record.record import Record, read

GAME = {"v": 1, "id": "evening-7", "game": "bluff", "rules": {}, "opener": 0, "rounds": []}


@pytest.mark.parametrize(
    "handle", ["anna", "Anna B.", "Zoë", "李雷", "🎲🎲", "Ωmega", "O'Neil", "עדה", "a" * 64]
)
def test_what_can_be_seen_is_a_handle(handle: str) -> None:
    assert handle_fault(handle) is None


@pytest.mark.parametrize(
    "handle",
    [
        "an\u200bna",
        "anna\u200d",
        "\ufeffanna",
        "an\u00adna",
        "anna\u202e",
        "\u2066anna",
        "an\u2028na",
        "anna\ufe0f",
        "\u3164",
        "an\u00a0na",
        "\u2003anna",
        "an\u034fna",
        "anna\ue000",
        "anna\U000e0061",
        "\u2800",
    ],
)
def test_a_character_that_nobody_sees_is_refused(handle: str) -> None:
    assert re.fullmatch(
        r"must not contain .*U\+[0-9A-F]{4,6}\)?, which is invisible", str(handle_fault(handle))
    )


@pytest.mark.parametrize(
    "handle",
    [
        "\u2764\ufe0f",
        "Ann \u2600\ufe0f",
        "\U0001f469\u200d\U0001f4bb",
        "\U0001f469\U0001f3fd\u200d\U0001f680",
        "\U0001f3f3\ufe0f\u200d\U0001f308",
        "Nr 3\ufe0f\u20e3",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "\u0915\u094d\u200d\u0937",
        "\u0915\u094d\u200c\u0937",
    ],
)
def test_joiners_and_selectors_are_good_where_they_change_what_is_seen(handle: str) -> None:
    assert handle_fault(handle) is None


@pytest.mark.parametrize(
    "handle",
    [
        "a\ufe0f",
        "\ufe0f",
        "\U0001f469\u200d",
        "\u200d\U0001f469",
        "\U0001f469\u200danna",
        "a\u200d\U0001f469",
        "\U0001f469\u200d\u200d\U0001f4bb",
        "\u2764\ufe0f\ufe0f",
        "3\ufe0f",
        "\u0645\u06cc\u200c",
        "\u0627\u200c\u0645",
        "\u200c\u0645",
        "an\u200cna",
        "\u0915\u200d\u0937",
        "\U0001f3f4\U000e0067\U000e0062",
        "\U0001f3f4\U000e007f",
        "\u202eanna",
        "\U0001f3b2\u202e",
    ],
)
def test_elsewhere_they_are_refused(handle: str) -> None:
    assert "which is invisible" in str(handle_fault(handle))


def test_what_is_refused_is_shown_by_its_name() -> None:
    assert (
        handle_fault("an\u200bna")
        == "must not contain ZERO WIDTH SPACE (U+200B), which is invisible"
    )
    assert (
        handle_fault("anna\u202e")
        == "must not contain RIGHT-TO-LEFT OVERRIDE (U+202E), which is invisible"
    )
    assert handle_fault("anna\ue000") == "must not contain U+E000, which is invisible"


@pytest.mark.parametrize("handle", [" anna", "anna ", " "])
def test_blanks_around_a_handle_are_refused(handle: str) -> None:
    assert handle_fault(handle) == "must not begin or end with a space"


def test_a_handle_is_composed() -> None:
    assert handle_fault("Zoe\u0308") == "must be in Unicode's composed form, NFC"


def test_a_record_with_such_a_handle_is_refused_by_a_code_of_its_own() -> None:
    refused = read(json.dumps(GAME | {"seats": ["anna", "an\u200bna"]}))
    assert isinstance(refused, Illegal)
    assert (refused.code, refused.path) == ("bad_handle", "seats[1]")
    assert isinstance(read(json.dumps(GAME | {"seats": ["anna", "Ännchen"]})), Record)


def test_so_is_a_text_at_its_line() -> None:
    (error,) = parse(
        "cups-up notation 1\nGame: bluff\nId: x\nSeats: anna, an\u200bna\nOpener: anna\n"
    ).errors
    assert (error.code, error.line, error.column) == ("bad_handle", 4, 14)
