"""`python -m engine log`: whether an exported log is whole, and goes on from what was noted."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from engine.cli.main import main
from engine.record.club_log import first_digest, next_digest

ENTRIES: list[dict[str, object]] = [
    {"position": number, "action": "club.changed", "payload": {}} for number in (1, 2, 3)
]


def exported() -> tuple[list[dict[str, object]], list[str]]:
    """An export of three entries as objects, and the entries' digests."""
    digest = first_digest("k3xq8m2wpd")
    rows: list[dict[str, object]] = [{"club": "k3xq8m2wpd"}]
    digests: list[str] = []
    for entry in ENTRIES:
        digest = next_digest(digest, entry)
        digests.append(digest.hex())
        rows.append({**entry, "digest": digest.hex()})
    return rows, digests


def write(folder: Path, rows: list[dict[str, object]]) -> str:
    file = folder / "log.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(file)


def test_a_whole_log_tells_its_entries_and_its_head(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows, digests = exported()
    assert main(["log", write(tmp_path, rows)]) == 0
    assert json.loads(capsys.readouterr().out) == {"entries": 3, "head": digests[-1], "error": None}


def test_a_digest_noted_down_is_found_in_the_log_that_goes_on_from_it(tmp_path: Path) -> None:
    rows, digests = exported()
    assert main(["log", write(tmp_path, rows), "--head", digests[1]]) == 0


def test_a_log_that_was_cut_off_or_written_anew_lacks_the_digest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows, digests = exported()
    assert main(["log", write(tmp_path, rows[:-1]), "--head", digests[-1]]) == 1
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "head_missing"
    assert main(["log", write(tmp_path, rows), "--head", sha256(b"another").hexdigest()]) == 1


def test_a_changed_entry_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows, _ = exported()
    rows[2]["action"] = "club.created"
    assert main(["log", write(tmp_path, rows)]) == 1
    output = capsys.readouterr()
    assert json.loads(output.out)["error"]["code"] == "digest_mismatch"
    assert "entry 2" in output.err


def test_a_file_that_is_not_there_is_2(tmp_path: Path) -> None:
    assert main(["log", str(tmp_path / "none")]) == 2
