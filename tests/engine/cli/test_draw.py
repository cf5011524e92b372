"""`python -m engine draw FILE`: one answer a line."""

import json
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from engine.cli.main import main

GOOD = '{"v":1,"sizes":[2],"seed":"a","players":[{"id":"a","score":1},{"id":"b","score":1}]}\n'


def answers(file: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[dict[str, object]]]:
    code = main(["draw", str(file)])
    return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_every_draw_of_a_file_is_answered_in_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "draws.jsonl"
    file.write_text(GOOD + GOOD.replace("[2]", "[3]"))
    code, (first, second) = answers(file, capsys)
    assert code == 1
    assert first["ok"]
    assert first["version"] == 6
    assert second == {
        "ok": False,
        "error": {
            "code": "too_few",
            "path": "players",
            "message": "a table of 3 needs 3 players, not 2",
        },
    }


def test_draws_that_are_all_ok_end_with_0(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "draws.jsonl"
    file.write_text(GOOD)
    code, (answer,) = answers(file, capsys)
    assert code == 0
    assert sorted(answer["tables"][0]) == ["a", "b"]  # type: ignore[index]


def test_what_speaks_against_exchanges_is_told_when_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "draws.jsonl"
    file.write_text(GOOD.replace("}]", '},{"id":"c","score":1}]'))
    assert main(["draw", "--why-not", str(file)]) == 0
    (answer,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (len(answer["tables"]), len(answer["bye"]), len(answer["why_not"])) == (1, 1, 2)
    assert all(sentence.startswith("If ") for sentence in answer["why_not"])
    assert "why_not" not in answers(file, capsys)[1][0]


def test_a_line_with_a_bracket_is_a_knock_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "draws.jsonl"
    cup = GOOD.replace("}\n", ',"bracket":{"kind":"single","advance":1}}\n')
    file.write_text(
        cup + GOOD + cup.replace("single", "triple") + cup.replace('"advance":1', '"advance":2')
    )
    code, (first, second, third, last) = answers(file, capsys)
    assert code == 1
    assert (first["labels"], second["ok"]) == (["final"], True)
    assert third["error"]["path"] == "bracket.kind"  # type: ignore[index]
    assert last["error"]["path"] == "bracket.advance"  # type: ignore[index]


def test_a_file_without_a_draw_ends_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "draws.jsonl"
    file.write_text("\n")
    assert answers(file, capsys) == (1, [])


def test_answers_are_utf_8_whatever_the_console_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "draws.jsonl"
    file.write_text(GOOD.replace('"b"', '"Łukasz"') + GOOD.replace("[2]", "[3]"), encoding="utf-8")
    written = BytesIO()
    monkeypatch.setattr("sys.stdout", TextIOWrapper(written, encoding="ascii"))
    assert main(["draw", str(file)]) == 1
    first, second = written.getvalue().decode("utf-8").splitlines()
    assert "Łukasz" in json.loads(first)["tables"][0]
    assert json.loads(second)["error"]["code"] == "too_few"
