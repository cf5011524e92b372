"""All verbs read files in one way: records or text, plain or gzip, by name or from standard
input."""

import gzip
import io
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine import __version__
from engine.cli.main import main
from engine.notation.text import render
from engine.record.write import write
from tests.engine.record.build import bids, game, record

PLAYED = record(game(bids("4x2", count=5)))
TEXT = render(PLAYED).encode()
VERBS = ["check", "verify", "analyse", "render", "parse"]
every_verb = pytest.mark.parametrize("verb", VERBS)


@every_verb
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_records_and_text_give_the_same_answer(
    verb: str, pack: type[bytes], tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    answers = []
    for content in (write(PLAYED).encode(), TEXT):
        file = tmp_path / "games"
        file.write_bytes(pack(content))
        assert main([verb, str(file)]) == 0
        answers.append(capsysbinary.readouterr().out)
    assert answers[0] == answers[1] != b""


@every_verb
def test_standard_input_is_read(
    verb: str, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(TEXT)))
    assert main([verb, "-"]) == 0
    assert b"4x2" in capsysbinary.readouterr().out or verb == "verify"


@every_verb
@pytest.mark.parametrize("content", [b"", b"\n \n"])
def test_an_empty_file_is_said_to_be_empty(
    verb: str, content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games"
    file.write_bytes(content)
    assert main([verb, str(file)]) == 1
    answer = capsys.readouterr()
    assert answer.out == ""
    assert answer.err == f"{file}: the file is empty, so there is no game in it\n"


@every_verb
def test_errors_name_the_file_the_line_and_the_path(
    verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.jsonl"
    wrong = json.dumps(game(opener=7))
    file.write_text(
        "\n".join(["nonsense", "", write(PLAYED), wrong, "x" * (1 << 20) + "x"]), encoding="utf-8"
    )
    assert main([verb, str(file)]) == 1
    errors = capsys.readouterr().err.splitlines()
    assert [line.split(": ")[:2] for line in errors] == [
        [f"{file}:1", "bad_json"],
        [f"{file}:4", "bad_record"],
        [f"{file}:5", "bad_json"],
    ]
    assert errors[1] == f"{file}:4: bad_record: opener must be from 0 to 2"


@every_verb
def test_errors_in_a_text_name_its_line(
    verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.cups"
    file.write_bytes(TEXT.replace(b"4x2", b"4y2") + TEXT)
    assert main([verb, str(file)]) == 1
    (error,) = capsys.readouterr().err.splitlines()
    assert error.startswith(
        f"{file}:8: bad_notation: line 8, column 5: expected x and a face, as in 5x2, found “y2”"
    )


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out == f"cups-up-engine {__version__}\n"
