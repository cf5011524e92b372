"""The engine on the command line, and what importing it loads."""

import gzip
import io
import json
import os
import runpy
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine.cli.main import main
from tests.engine.record.build import bids, game
from tests.engine.record.test_season import SEASON

KNIFFEL = Path(__file__).parents[3] / "league" / "data" / "kniffelrunde-2026.jsonl.gz"
GOOD = json.dumps(game(bids("4x2", count=5)))
BAD = json.dumps(game(bids("4x2", "4x2", count=5)) | {"id": "tränen"})


def run(*arguments: str, **more: object) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "engine", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, **more)  # type: ignore[call-overload,no-any-return]


def answers(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_python_m_engine_is_this_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["engine", "check", str(SEASON)])
    with pytest.raises(SystemExit) as end:
        runpy.run_module("engine", run_name="__main__")
    assert end.value.code == 0
    assert answers(capsys)


def test_check_answers_one_line_per_game_in_order_and_never_stops_at_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(f"{GOOD}\n\nnonsense\n{BAD}\n{GOOD}\n", encoding="utf-8")
    assert main(["check", str(file)]) == 1
    verdicts = answers(capsys)
    assert [(answer["id"], answer["ok"]) for answer in verdicts] == [
        ("g", True),
        (None, False),
        ("tränen", False),
        ("g", True),
    ]


def test_check_exits_0_when_all_games_are_ok(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(SEASON)]) == 0
    assert all(answer["ok"] for answer in answers(capsys))


def test_check_tells_where_a_gzip_is_cut_off(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.jsonl.gz"
    file.write_bytes(gzip.compress(f"{GOOD}\n{GOOD}\n".encode())[:-4])
    assert main(["check", str(file)]) == 1
    assert [answer["ok"] for answer in answers(capsys)] == [True, True, False]


def test_check_reads_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(GOOD.encode())))
    assert main(["check", "-"]) == 0
    assert [answer["id"] for answer in answers(capsys)] == ["g"]


def test_a_file_that_cannot_be_read_exits_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(tmp_path / "none")]) == 2
    assert main(["check", str(tmp_path)]) == 2
    assert "none" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["check"], ["shuffle"], ["check", "a", "b"]])
def test_wrong_usage_exits_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2
    assert "usage: python -m engine" in capsys.readouterr().err


def test_the_command_prints_plain_ascii_wherever_it_runs() -> None:
    done = run(
        "check", "-", input=BAD, env={**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    )
    assert done.returncode == 1
    assert json.loads(done.stdout)["id"] == "tränen"
    assert done.stdout.isascii()


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(f"{GOOD}\n" * 5000, encoding="utf-8")
    command = [sys.executable, "-m", "engine", "check", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 141


@pytest.mark.parametrize(
    "module", ["engine", "engine.__main__", "engine.record.canonical", "engine.bluff.game"]
)
def test_the_engine_loads_the_standard_library_alone(module: str) -> None:
    code = f"import sys, {module}; print(*(name.partition('.')[0] for name in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, '.'); {code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    before = subprocess.run(
        [sys.executable, "-I", "-c", "import sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    started = {name.partition(".")[0] for name in before.stdout.split()}
    assert set(done.stdout.split()) - started - set(sys.stdlib_module_names) == {"engine"}


WITHOUT_NUMPY = (
    "import sys; sys.modules['numpy'] = None; from engine.cli.main import main; "
    "sys.exit(main(sys.argv[1:]))"
)


def test_a_verb_that_needs_a_package_says_so_in_one_line() -> None:
    line = KNIFFEL.read_bytes()
    command = [sys.executable, "-c", WITHOUT_NUMPY, "analyse", "-"]
    done = subprocess.run(command, capture_output=True, input=gzip.decompress(line), check=False)
    assert done.returncode == 2
    assert (
        done.stderr
        == b"python -m engine: this needs NumPy: pip install 'cups-up-engine[ratings]'\n"
    )


def test_a_module_of_the_engine_that_is_missing_is_a_fault_of_the_engine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(arguments: object) -> int:
        raise ModuleNotFoundError("no", name="engine.nothing")

    monkeypatch.setattr("engine.cli.check.run", fail)
    with pytest.raises(ModuleNotFoundError):
        main(["check", "-"])


def test_a_reader_who_leaves_is_no_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def leave(arguments: object) -> int:
        raise BrokenPipeError

    file = tmp_path / "games.jsonl"
    file.write_text(GOOD)
    moved: list[tuple[int, int]] = []
    monkeypatch.setattr("engine.cli.check.run", leave)
    monkeypatch.setattr("engine.cli.main.os.dup2", lambda old, new: moved.append((old, new)))
    monkeypatch.setattr(
        "engine.cli.main.sys.stdout", SimpleNamespace(fileno=lambda: 1, flush=lambda: None)
    )
    assert main(["check", str(file)]) == 141
    assert [new for _, new in moved] == [1]


def test_a_missing_numpy_is_named_and_any_other_missing_module_is_a_mistake_of_ours(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = ["numpy", "engine.nothing"]

    def need(arguments: object) -> int:
        raise ModuleNotFoundError(name=missing.pop(0))

    monkeypatch.setattr("engine.cli.check.run", need)
    assert main(["check", "-"]) == 2
    assert "pip install 'cups-up-engine[ratings]'" in capsys.readouterr().err
    with pytest.raises(ModuleNotFoundError):
        main(["check", "-"])
