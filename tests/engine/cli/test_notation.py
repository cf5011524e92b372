"""`python -m engine render` and `python -m engine parse`."""

import gzip
import json
from pathlib import Path

import pytest

from engine.cli.main import main
from engine.notation.text import parse, render
from engine.record.write import write
from tests.engine.record.build import bids, game, record
from tests.engine.record.test_season import SEASON

PLAYED = record(game(bids("4x2", count=5)) | {"id": "Müller 🎲"})


def test_render_writes_all_games_with_a_blank_line_between(
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    assert main(["render", str(SEASON)]) == 0
    text = capsysbinary.readouterr().out.decode()
    assert text.startswith("cups-up notation 1\nGame: bluff\nId: herbst-0001\n")
    assert text.count("\n\ncups-up notation 1\n") == 179
    assert len(parse(text).records) == 180


def test_parse_writes_a_record_a_line(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    file = tmp_path / "games.cups"
    file.write_bytes(gzip.compress((render(PLAYED) * 2).encode()))
    assert main(["parse", str(file)]) == 0
    assert capsysbinary.readouterr().out.decode() == f"{write(PLAYED)}\n" * 2


def test_a_game_with_an_error_is_told_on_standard_error_and_the_others_are_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.cups"
    good = render(PLAYED)
    file.write_text(good.replace("4x2", "4y2") + good, encoding="utf-8")
    assert main(["parse", str(file)]) == 1
    answer = capsys.readouterr()
    assert answer.out == f"{write(PLAYED)}\n"
    assert "line 8, column 5: expected x and a face, as in 5x2, found “y2”" in answer.err


def test_a_record_that_cannot_be_read_is_told_on_standard_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.jsonl"
    lines = [
        "nonsense",
        write(PLAYED),
        json.dumps(game(opener=7)),
        json.dumps(game({"moves": ["4y2"]})),
    ]
    file.write_text("\n".join([*lines, "x" * (1 << 20), "y"]), encoding="utf-8")
    assert main(["render", str(file)]) == 1
    answer = capsys.readouterr()
    assert answer.out == render(PLAYED)
    assert [line.split(": ")[0] for line in answer.err.splitlines()] == [
        f"{file}:{i}" for i in (1, 3, 4, 5, 6)
    ]
    assert f"{file}:4: bad_record: rounds[0].moves[0] “4y2” isn't a move\n" in answer.err


def test_a_doubter_who_is_not_at_the_table_cannot_be_rendered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.jsonl"
    turn = {"dice": "44412", "say": "fours=12", "doubts": [7]}
    head = {
        "v": 1,
        "id": "k",
        "game": "luegen-kniffel",
        "rules": {},
        "seats": ["anna", "ben"],
        "opener": 0,
    }
    file.write_text(json.dumps(head | {"turns": [turn]}), encoding="utf-8")
    assert main(["render", str(file)]) == 1
    assert (
        capsys.readouterr().err
        == f"{file}:1: bad_record: doubts names a seat that isn't at the table\n"
    )
