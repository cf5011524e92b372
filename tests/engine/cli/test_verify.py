"""`python -m engine verify FILE`."""

import gzip
import io
import json
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine.cli.main import main
from engine.record.canonical import digests
from engine.record.export import export
from engine.record.record import Record, read
from tests.engine.record.build import bids, game
from tests.engine.record.fair import bluff, kniffel

GAMES = b"\n".join(
    [export(bluff()), export(kniffel()), json.dumps(game(bids("4x2", count=5))).encode()]
)


def answers(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_verify_tells_of_each_game_what_it_proves(
    pack: type[bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games"
    file.write_bytes(pack(GAMES))
    assert main(["verify", str(file)]) == 0
    everything = ["rules", "dice", "digests", "seal"]
    assert [answer["proved"] for answer in answers(capsys)] == [everything, everything, ["rules"]]


def test_verify_exits_1_when_anything_is_false_and_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = GAMES.replace(b'"seal":"', b'"seal":"00', 1)
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(bad)))
    assert main(["verify", "-"]) == 1
    assert [answer["ok"] for answer in answers(capsys)] == [False, True, True]


def test_verify_tells_where_a_gzip_is_cut_off(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.gz"
    file.write_bytes(gzip.compress(GAMES)[:-4])
    assert main(["verify", str(file)]) == 1
    assert answers(capsys)[-1]["id"] is None


def test_a_bit_flipped_anywhere_in_a_file_of_many_games_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Between two lines, too."""
    file = tmp_path / "games"
    lines = export(bluff(3, seats=2, dice=1)) + b"\n" + export(bluff(4, seats=2, dice=1)) + b"\n"
    end = lines.index(b"\n")
    for at in (0, end - 1, end, end + 1, len(lines) - 1):
        for bit in range(8):
            file.write_bytes(lines[:at] + bytes([lines[at] ^ 1 << bit]) + lines[at + 1 :])
            assert main(["verify", str(file)]) == 1, (at, bit)
    assert not all(answer["ok"] for answer in answers(capsys))


def test_a_file_that_cannot_be_read_exits_2(tmp_path: Path) -> None:
    assert main(["verify", str(tmp_path / "none")]) == 2


FIRST, SECOND = bluff(3, seats=2, dice=1), bluff(4, seats=2, dice=1)


def games(tmp_path: Path, *records: Record) -> str:
    file = tmp_path / "games.jsonl"
    file.write_bytes(b"\n".join(map(export, records)))
    return str(file)


def heads(tmp_path: Path, *records: Record) -> str:
    """The list as the service publishes it, with a comment."""
    file = tmp_path / "heads.txt"
    lines = [f"{digests(record)[-1].hex()} {record.record_id}\n" for record in records]
    file.write_text("".join(["# heads\n", "\n", *lines]), encoding="utf-8")
    return str(file)


def codes(capsys: pytest.CaptureFixture[str]) -> list[tuple[str, str | None]]:
    """The id of each answer, and the code of its error."""
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return [(answer["id"], answer.get("error", {}).get("code")) for answer in found]


def test_the_answer_tells_the_head_and_what_was_not_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", games(tmp_path, FIRST)]) == 0
    (answer,) = answers(capsys)
    assert answer["head"] == digests(FIRST)[-1].hex()
    assert "Nothing proves that this is the game that was played" in str(answer["not_checked"])


def test_a_head_and_a_commitment_anchor_the_one_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert FIRST.proof is not None
    file = games(tmp_path, FIRST)
    noted = [
        "--head",
        digests(FIRST)[-1].hex().upper(),
        "--commitment",
        FIRST.proof.commitment.hex(),
    ]
    assert main(["verify", file, *noted]) == 0
    (answer,) = answers(capsys)
    assert answer["not_checked"] == []
    for option, code in (("--head", "head_mismatch"), ("--commitment", "commitment_mismatch")):
        assert main(["verify", file, option, "00" * 32]) == 1
        assert codes(capsys) == [(FIRST.record_id, code)]


def test_a_list_of_heads_finds_games_changed_put_in_and_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = games(tmp_path, FIRST, replace(SECOND, table="9"))
    assert main(["verify", file, "--heads", heads(tmp_path, FIRST, SECOND, bluff())]) == 1
    output = capsys.readouterr()
    found = [json.loads(line) for line in output.out.splitlines()]
    assert [(answer["id"], answer.get("error", {}).get("code")) for answer in found] == [
        (FIRST.record_id, None),
        (SECOND.record_id, "head_mismatch"),
        (bluff().record_id, "game_missing"),
    ]
    assert (
        f"--heads: game_missing: there is a head for the game {bluff().record_id}, but no record"
        in output.err
    )
    assert main(["verify", games(tmp_path, FIRST, SECOND), "--heads", heads(tmp_path, FIRST)]) == 1
    assert codes(capsys) == [(FIRST.record_id, None), (SECOND.record_id, "head_missing")]
    assert (
        main(["verify", games(tmp_path, SECOND, FIRST), "--heads", heads(tmp_path, FIRST, SECOND)])
        == 0
    )


def test_a_proof_that_is_required_and_not_given_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = games(tmp_path, FIRST, replace(SECOND, proof=None))
    assert main(["verify", file, "--require", "rules,digests,seal"]) == 0
    capsys.readouterr()
    assert main(["verify", file, "--require", "rules,dice,digests,seal"]) == 1
    assert codes(capsys) == [(FIRST.record_id, None), (SECOND.record_id, "not_proved")]


def test_a_game_that_is_there_twice_is_reported_in_whichever_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = games(tmp_path, FIRST, SECOND)
    assert main(["verify", file, file]) == 1
    found = codes(capsys)
    assert found[:2] == [(FIRST.record_id, None), (SECOND.record_id, None)]
    assert found[2:] == [
        (FIRST.record_id, "same_game_twice"),
        (SECOND.record_id, "same_game_twice"),
    ]


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        (["--head", "00"], "--head: must have 32 bytes, not 1"),
        (["--commitment", "x"], "--commitment: must be hexadecimal"),
        (
            ["--require", "rules,luck"],
            "there is no proof 'luck'; choose from rules, dice, digests, seal",
        ),
        (["--heads", "none.txt"], "none.txt: No such file"),
    ],
)
def test_wrong_usage_exits_2_and_says_why(
    arguments: list[str], wrong: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["verify", games(tmp_path, FIRST), *arguments])
    assert wrong in capsys.readouterr().err


def test_a_list_that_is_none_exits_2_and_names_the_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "heads.txt"
    file.write_text("# nothing\nnonsense\n")
    with pytest.raises(SystemExit, match="2"):
        main(["verify", games(tmp_path, FIRST), "--heads", str(file)])
    assert f"{file}: line 2 isn't a head and an id" in capsys.readouterr().err


def test_the_example_of_the_manual_is_true(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (Path(__file__).parents[3] / "templates" / "docs" / "digest.md").read_text(
        encoding="utf-8"
    )
    block = dict(re.findall(r"^```(json|verify)\n(.*?)^```$", page, re.DOTALL | re.MULTILINE))
    (head,) = re.findall(r"--head ([0-9a-f]{64})$", page, re.MULTILINE)
    found = read(block["json"])
    assert isinstance(found, Record)
    assert main(["verify", games(tmp_path, found), "--head", head]) == 0
    assert answers(capsys) == [json.loads(block["verify"])]
