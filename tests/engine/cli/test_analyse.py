import io
import json
from pathlib import Path
from typing import Any

import pytest

from engine.cli.main import main
from engine.record.write import write
from tests.engine.analysis.build import record
from tests.engine.record.build import kniffel_outcome, outcome

BLUFF = write(record({"dealt": ["3", "2"], "moves": ["1x4", "1x5", "!"]}, dice=1))
KNIFFEL = json.dumps(
    {
        "v": 1,
        "id": "evening-2",
        "game": "luegen-kniffel",
        "rules": {},
        "seats": ["anna", "ben"],
        "opener": 0,
        "turns": [
            {"say": "fours=12"},
            {"dice": "44412", "say": "fours=12", "doubts": [0]},
            {"say": "large=40"},
        ],
    }
)
WRONG = '{"v": 1}'


@pytest.fixture
def games(tmp_path: Path) -> str:
    file = tmp_path / "games.jsonl"
    file.write_text("\n".join([BLUFF, KNIFFEL]))
    return str(file)


def test_each_game_is_one_line_of_json(games: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", games]) == 0
    bluff, kniffel = map(json.loads, capsys.readouterr().out.splitlines())
    assert (bluff["id"], bluff["weight"], len(bluff["rounds"])) == ("evening-1", 0, 1)
    assert (kniffel["id"], len(kniffel["turns"])) == ("evening-2", 3)


@pytest.mark.parametrize("ended", [outcome([2, 1]), kniffel_outcome([1, 2])])
def test_of_a_game_of_which_only_the_end_is_known_there_is_nothing_to_analyse(
    ended: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(json.dumps(ended))
    assert main(["analyse", str(file)]) == 0
    said = ["Only the end of the game is known: there is nothing to analyse."]
    assert json.loads(capsys.readouterr().out) == {
        "id": "g",
        "game": ended["game"],
        "seats": ["anna", "bea"],
        "cannot_tell": said,
    }
    assert main(["analyse", str(file), "--text"]) == 0
    assert capsys.readouterr().out == f"g: anna, bea\n  {said[0]}\n"


def test_a_game_that_is_not_ok_is_answered_as_check_does(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = "\n".join([WRONG, "x" * (1 << 20) + "x", BLUFF])
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    assert main(["analyse", "-"]) == 1
    wrong, long, right = map(json.loads, capsys.readouterr().out.splitlines())
    assert (wrong["ok"], wrong["error"]["code"]) == (False, "bad_record")
    assert long["error"]["code"] == "bad_json"
    assert right["id"] == "evening-1"


def test_the_bids_weigh_as_they_are_told_to(games: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", games, "--weight", "0.6"]) == 0
    bluff, _ = map(json.loads, capsys.readouterr().out.splitlines())
    assert bluff["weight"] == 0.6
    assert bluff["rounds"][0]["decisions"][1]["challenge"]["chance"] > 1 / 3


@pytest.mark.parametrize("weight", ["-1", "nan", "inf", "much"])
def test_a_weight_is_0_or_more(games: str, weight: str) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["analyse", games, f"--weight={weight}"])


def test_the_costliest_decisions_in_words(games: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", games, "--text"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "evening-1: player 0, player 1",
        (
            "  round 1, move 2: player 1 played 1x5 (holds 33%, worth -0.33 dice); ! (holds 33%, "
            "worth +0.33): cost 0.67"
        ),
        "  round 1, move 1: player 0 played 1x4 (holds 33%, worth -0.33 dice); "
        "1x3 (holds 100%, worth +0.00): cost 0.33",
        (
            "  luck of the rolls, in dice (fair dice stay within): player 0 +0.00 (0.00), player "
            "1 +0.00 (0.00)"
        ),
        "evening-2: anna, ben",
        "  turn 3: ben let stand large=40 (true 26%): cost 29.6 points",
        "  turn 1: ben let stand fours=12 (true 32%): cost 8.1 points",
    ]


def test_luck_in_words_or_that_it_cannot_be_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.jsonl"
    whole = write(record({"revealed": ["44", "25"], "moves": ["1x4", "!"]}, dice=2))
    file.write_text(whole + "\n" + write(record({"moves": ["1x4", "!"], "count": 2}, dice=2)))
    assert main(["analyse", str(file), "--text"]) == 0
    assert [line for line in capsys.readouterr().out.splitlines() if "luck" in line] == [
        (
            "  luck of the rolls, in dice (fair dice stay within): player 0 +0.50 (0.69), player "
            "1 -0.50 (0.69)"
        ),
        "  luck of the rolls, in dice (fair dice stay within): not every roll is told",
    ]
