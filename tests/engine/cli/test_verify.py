"""`python -m engine verify FILE`."""

import gzip
import io
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine.cli.main import main
from engine.record.export import export
from tests.engine.record.build import bids, game
from tests.engine.record.fair import bluff, kniffel

GAMES = b"\n".join([export(bluff()), export(kniffel()), json.dumps(game(bids("4x2", count=5))).encode()])


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


def test_verify_tells_where_a_gzip_is_cut_off(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
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
