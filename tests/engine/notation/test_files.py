"""A file tells by its first line in which form its games are."""

import gzip
import io
import json

import pytest

from engine.illegal import Illegal
from engine.notation.files import record_lines
from engine.notation.text import render
from engine.record.record import Record, read
from tests.factories.records import bluff_record, kniffel_record

LINES = [
    json.dumps(bluff_record(1)),
    json.dumps(kniffel_record(2)),
    json.dumps(bluff_record(3, level="result")),
]


def records(*content: bytes) -> list[Record]:
    found = [
        read(line.content)
        for line in record_lines(io.BytesIO(b"".join(content)))
        if isinstance(line.content, bytes)
    ]
    assert not [one for one in found if isinstance(one, Illegal)]
    return [one for one in found if isinstance(one, Record)]


def notated() -> bytes:
    return "\n".join(render(record) for record in records("\n".join(LINES).encode())).encode()


def test_both_forms_tell_the_same_games() -> None:
    assert records(notated()) == records("\n".join(LINES).encode())


def test_both_forms_may_be_packed() -> None:
    assert records(gzip.compress(notated())) == records(notated())


def test_an_empty_file_tells_no_game() -> None:
    assert records(b"") == []


def test_a_game_starts_at_its_line() -> None:
    numbers = [line.number for line in record_lines(io.BytesIO(notated()))]
    text = notated().decode().splitlines()
    assert [text[number - 1] for number in numbers] == [
        "Game: bluff",
        "Game: luegen-kniffel",
        "Game: bluff",
    ]


@pytest.mark.parametrize("broken", [b"4y3", b"\xff", b"3x"])
def test_a_game_that_cannot_be_read_is_named_and_the_others_go_on(broken: bytes) -> None:
    games = notated().split(b"cups-up notation 1")
    bad = games[1].replace(b" !", b" " + broken, 1)
    lines = list(record_lines(io.BytesIO(b"cups-up notation 1".join([b"", bad, *games[2:]]))))
    assert isinstance(lines[0].content, Illegal)
    assert lines[0].content.code == "bad_notation"
    assert f"line {lines[0].number}, column" in lines[0].content.message
    assert [isinstance(line.content, bytes) for line in lines[1:]] == [True, True]
