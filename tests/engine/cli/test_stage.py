"""`python -m engine stage` on the command line: a stage ranked anew by a stranger."""

import io
import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine.cli.main import main
from engine.scoring.stage.rules import StageScoring, StageTieBreak
from engine.scoring.stage.stage_file import write_stage
from tests.engine.scoring.stage.build import rules, stage, table

DUELS = rules(StageTieBreak.HEAD_TO_HEAD, scoring=StageScoring.WIN_DRAW_LOSS, size=2)
STAGE = write_stage(stage(DUELS, table(1, "ab"), table(1, "cd"), b=2, c=1))
TEXT = """\
rank  name  points  head-to-head
   1  C          3             –
   2  A          2             2
   3  B          2             0
   4  D          0             –

C has 3 points and rank 1
   carried over from before: 1 point
   round 1: place 1 of 2, 2 points

-- C has 3 points, A 2

A has 2 points and rank 2
   round 1: place 1 of 2, 2 points
   head-to-head: 2

-- A and B have 2 points; they met in round 1, and A finished ahead

B has 2 points and rank 3
   carried over from before: 2 points
   round 1: place 2 of 2, 0 points
   head-to-head: 0

-- B has 2 points, D 0

D has 0 points and rank 4
   round 1: place 2 of 2, 0 points
"""

LABELS = """\
rank  label  points
   1  Bonn        3
   2  Ulm         2

Bonn has 3 points and rank 1: C with 3 points

-- Bonn has 3 points, Ulm 2

Ulm has 2 points and rank 2: A with 2 points
   only the best 1 count, so these don’t: B and D
"""


def file(tmp_path: Path, text: str = STAGE) -> str:
    path = tmp_path / "stage.json"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_text_is_the_table_then_every_row_with_its_reasons(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["stage", file(tmp_path)]) == 0
    assert capsys.readouterr().out == TEXT


def test_json_has_every_row_with_its_reasons(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["stage", file(tmp_path), "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["id"] for row in rows] == ["c", "a", "b", "d"]
    assert rows[1] == {
        "rank": 2,
        "id": "a",
        "name": "A",
        "points": "2",
        "tie_breaks": {"head_to_head": "2"},
        "why": ["A has 2 points and rank 2", "round 1: place 1 of 2, 2 points", "head-to-head: 2"],
        "before_next": "A and B have 2 points; they met in round 1, and A finished ahead",
    }
    assert rows[3]["before_next"] is None


def test_standard_input_is_a_file_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(STAGE.encode())))
    assert main(["stage", "-"]) == 0
    assert "A has 2 points and rank 2" in capsys.readouterr().out


def test_a_stage_of_nobody_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for format, printed in (("text", "nobody takes part\n"), ("json", "[]\n")):
        assert main(["stage", file(tmp_path, write_stage(stage(DUELS))), "--format", format]) == 0
        assert capsys.readouterr().out == printed


def test_a_fault_is_told_with_its_code_and_path(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = file(tmp_path, STAGE.replace('"size":2', '"size":9'))
    assert main(["stage", name]) == 1
    answer = capsys.readouterr()
    assert (answer.out, answer.err) == ("", f"{name}: bad_stage: size must be from 2 to 8\n")


def test_a_file_that_is_too_large_is_not_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.cli.stage.LIMIT", 10)
    assert main(["stage", file(tmp_path)]) == 1
    assert "file_too_large" in capsys.readouterr().err


def test_a_file_that_is_not_there_can_not_be_read(tmp_path: Path) -> None:
    assert main(["stage", str(tmp_path / "none")]) == 2


def test_labels_are_ranked_by_the_best_of_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = stage(DUELS, table(1, "ab"), table(1, "cd"), b=2, c=1)
    people = [
        replace(person, label="Ulm" if person.player_id in "abd" else "Bonn")
        for person in made.participants
    ]
    labelled = write_stage(
        replace(made, participants=tuple(people), rules=replace(made.rules, label_best=1))
    )
    assert main(["stage", file(tmp_path, labelled), "--labels"]) == 0
    assert capsys.readouterr().out == LABELS
    assert main(["stage", file(tmp_path, labelled), "--labels", "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [(row["rank"], row["label"], row["points"]) for row in rows] == [
        (1, "Bonn", "3"),
        (2, "Ulm", "2"),
    ]
    assert rows[0]["before_next"] == "Bonn has 3 points, Ulm 2"
    assert rows[1]["before_next"] is None
    assert main(["stage", file(tmp_path), "--labels"]) == 0
    assert capsys.readouterr().out == "nobody takes part\n", "nobody has a label"


def test_tables_that_bring_nothing_so_far_are_told_above_the_ranking(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    by_dice = replace(DUELS, scoring=StageScoring.CNTDICE)
    path = tmp_path / "stage.json"
    path.write_text(write_stage(stage(by_dice, table(1, "ab"), table(2, "ab"))))
    assert main(["stage", str(path)]) == 0
    first, *_ = capsys.readouterr().out.splitlines()
    assert first == "2 tables are over, but their points aren't known, so they don't count yet"
    assert main(["stage", str(path), "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["unknown"] for row in rows] == [2, 2]
