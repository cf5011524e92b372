"""What can't be read is told in words of our own: what is wrong, where, and what to do."""

import json
from io import BytesIO

import pytest

from engine.illegal import Illegal
from engine.notation.text import parse as parse_notation
from engine.record.lines import read_lines
from engine.record.record import parse

PYTHON = (
    "codec",
    "Expecting",
    "delimiter",
    "(char ",
    "utf-8",
    "BOM",
    "sys.",
    "conversion",
    "Errno",
    "decompress",
    "\\x",
)


def refusal(content: bytes | str) -> str:
    fault = parse(content)
    assert isinstance(fault, Illegal)
    assert fault.code == "bad_json"
    assert not [word for word in PYTHON if word in fault.message]
    return str(fault.message)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"{\xff}", "byte 2 isn't valid UTF-8; save the file as UTF-8"),
        ("{}".encode("utf-16"), "this is text in UTF-16; save it as UTF-8"),
        (
            "\ufeff{}",
            "line 1, column 1: there is a byte order mark (U+FEFF) in the text; remove it",
        ),
        (
            '{"v":\ufeff1}',
            "line 1, column 6: there is a byte order mark (U+FEFF) in the text; remove it",
        ),
        ("{“v”: 1}", 'line 1, column 2: write " instead of “'),
        ('{"v": 1', "the text ends too early, in line 1, column 8"),
        ("", "the text ends too early, in line 1, column 1"),
        ('{"v":\n 1,\n }', "line 3, column 2: “}” doesn't belong there"),
        ('{"v": 1} x', "line 1, column 10: “x” doesn't belong there"),
        ('{"v": 1, "v": 2}', "a key is given twice"),
        ('{"v": NaN}', "NaN isn't a number"),
        ('{"v": ' + "9" * 5000 + "}", "a number has too many digits"),
        ("[" * 50_000, "nested too deeply"),
    ],
)
def test_no_json_is_told_with_its_place(content: bytes | str, words: str) -> None:
    assert refusal(content) == f"not JSON: {words}"


@pytest.mark.parametrize(
    "text", ["nul", '{"v": tru}', '{"v" 1}', "{'v': 1}", '{"v": "\n"}', '{"v": "\\u12"}', "\x00"]
)
def test_whatever_is_no_json_is_told_without_words_of_python(text: str) -> None:
    refusal(text)


@pytest.mark.parametrize("mark", [b"\xff\xfe", b"\xfe\xff"])
def test_a_file_in_utf_16_is_told_once(mark: bytes) -> None:
    encoding = "utf-16-le" if mark == b"\xff\xfe" else "utf-16-be"
    content = mark + "cups-up notation 1\nGame: bluff\n".encode(encoding)
    (line,) = read_lines(BytesIO(content))
    assert isinstance(line.content, Illegal)
    assert line.content.message == "this is text in UTF-16; save it as UTF-8"
    (error,) = parse_notation(content).errors
    assert (error.line, error.expected) == (1, "text in UTF-8")


def test_a_byte_order_mark_inside_a_text_is_told_by_its_name() -> None:
    head = "cups-up notation 1\nGame: bluff\n"
    (error,) = parse_notation(head + "Id: x\ufeffy\n").errors
    assert (error.line, error.column) == (3, 6)
    assert error.message == "ZERO WIDTH NO-BREAK SPACE (U+FEFF) doesn't belong in a text; remove it"


def test_a_broken_gzip_is_told_in_our_words() -> None:
    *_, line = read_lines(BytesIO(b"\x1f\x8b\x08\x00" + b"\xff" * 40))
    assert isinstance(line.content, Illegal)
    assert line.content.message == "the gzip file is damaged; compress it again"


def test_a_number_of_many_digits_that_python_reads_is_a_number() -> None:
    assert parse(json.dumps({"v": 10**400})) == {"v": 10**400}
