"""`python -m engine verify --receipt`: whether a receipt that somebody kept fits an exported
log."""

import io
import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine.cli.main import main
from tests.engine.record.test_receipt import log, receipt_of

RECEIPT = str(receipt_of(log(), 3))
TEXT = f"Becherkeller, 3 March 2026, game sealed: {RECEIPT}"


def write(folder: Path, lines: list[bytes]) -> str:
    file = folder / "log.jsonl"
    file.write_bytes(b"".join(lines))
    return str(file)


def swapped(receipt: str) -> str:
    """A receipt whose last two characters have changed places."""
    return receipt[:-2] + receipt[-1] + receipt[-2]


@pytest.mark.parametrize("receipt", [RECEIPT, TEXT, RECEIPT.lower()])
def test_a_receipt_that_fits_tells_what_the_entry_says(
    receipt: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", "--receipt", receipt, write(tmp_path, log())]) == 0
    output = capsys.readouterr()
    answer = json.loads(output.out)
    assert (answer["receipt"], answer["ok"]) == (RECEIPT, True)
    assert (answer["position"], answer["action"]) == (3, "game.sealed")
    assert output.err == ""


def test_the_log_may_come_by_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"".join(log()))))
    assert main(["verify", "-", "--receipt", RECEIPT]) == 0


@pytest.mark.parametrize(
    ("lines", "code", "words"),
    [
        (log(rewritten=2), "receipt_mismatch", "entry 3 isn't the one on the receipt"),
        (log(club="2wpdk3xq8m"), "other_log", "the log of 2wpdk3xq8m"),
        (log(length=2), "entry_missing", "the log ends with entry 2, before entry 3"),
        ([*log()[:2], *log()[3:]], "out_of_turn", "entry 2 is missing"),
        ([], "bad_log", "no line names the club"),
    ],
)
def test_a_log_that_does_not_fit_exits_1_and_says_why(
    lines: list[bytes], code: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", "--receipt", RECEIPT, write(tmp_path, lines)]) == 1
    output = capsys.readouterr()
    answer = json.loads(output.out)
    assert (answer["ok"], answer["error"]["code"]) == (False, code)
    assert words in output.err


@pytest.mark.parametrize("receipt", [swapped(RECEIPT), RECEIPT[:-1], "", "\udcff", "Becherkeller"])
def test_a_typing_error_exits_2_and_says_nothing_of_the_log(
    receipt: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", "--receipt", receipt, write(tmp_path, log(rewritten=1))]) == 2
    output = capsys.readouterr()
    assert json.loads(output.out)["error"]["code"] == "bad_receipt"
    assert "--receipt: bad_receipt" in output.err


@pytest.mark.parametrize("more", [["--require", "seal"], ["--head", "00" * 32], ["other.jsonl"]])
def test_a_receipt_goes_with_one_log_and_nothing_else(
    more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", write(tmp_path, log()), *more, "--receipt", RECEIPT]) == 2
    assert "--receipt takes one log" in capsys.readouterr().err


def test_a_file_that_is_not_there_exits_2(tmp_path: Path) -> None:
    assert main(["verify", "--receipt", RECEIPT, str(tmp_path / "none")]) == 2


def test_the_example_of_the_manual_is_true(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All but the entry's place in a log: the page shows what the command prints."""
    page = (Path(__file__).parents[3] / "templates" / "docs" / "log.md").read_text(encoding="utf-8")
    (receipt,) = re.findall(r'verify --receipt "(.*)" log.jsonl', page)
    (shown,) = re.findall(r"^```receipt\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert (receipt, json.loads(shown)["receipt"]) == (RECEIPT, RECEIPT)
    assert main(["verify", "--receipt", receipt, write(tmp_path, log())]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(shown)
