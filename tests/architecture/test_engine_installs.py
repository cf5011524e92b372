"""The engine is a library of its own: it installs without the service, and works with the standard
library alone.

Needs what the development packages bring (pip and hatchling), and no network.
"""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from engine.cli.main import MISSING
from tests.architecture.checkout import ROOT

SAMPLES = ROOT / "league" / "data"
GAMES = 180
"""Games of the sample season of Bluff."""
STANDARD_LIBRARY_ALONE = ("bluff", "kniffel", "record", "dice", "scoring", "players")


def run(*command: str | Path, folder: Path, code: int = 0) -> str:
    """What a command prints; `code` is how it must end. Python sees nothing of this checkout."""
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, env={"PATH": ""}
    )
    assert done.returncode == code, done.stderr[-2000:]
    return done.stderr if code else done.stdout


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a fresh virtual environment with nothing but the engine, from its wheel."""
    folder = tmp_path_factory.mktemp("alone")
    shutil.copy(SAMPLES / "herbstliga-2026.jsonl.gz", folder / "games.jsonl.gz")
    shutil.copy(SAMPLES / "kniffelrunde-2026.jsonl.gz", folder / "kniffel.jsonl.gz")
    python = folder / "venv" / "bin" / "python"
    pip, offline = (sys.executable, "-m", "pip"), ("--no-index", "--no-deps", "--no-cache-dir")
    run(
        *pip,
        "wheel",
        *offline,
        "--no-build-isolation",
        "--wheel-dir",
        folder,
        ROOT / "engine",
        folder=folder,
    )
    run(sys.executable, "-m", "venv", "--without-pip", folder / "venv", folder=folder)
    run(*pip, "--python", python, "install", *offline, *folder.glob("*.whl"), folder=folder)
    return python


@pytest.fixture
def folder(python: Path) -> Path:
    """Where the samples lie, outside of any checkout."""
    return python.parents[2]


def test_the_wheel_brings_types_and_licence(python: Path, folder: Path) -> None:
    files = {path.name for path in folder.glob("venv/lib/*/site-packages/**/*")}
    assert {"py.typed", "duel.bin", "LICENSE"} <= files
    assert not {"pyproject.toml", "README.md", "django", "league"} & files


def test_every_verb_tells_its_use(python: Path, folder: Path) -> None:
    verbs = re.findall(
        r"^    (\w+) ", run(python, "-m", "engine", "--help", folder=folder), re.MULTILINE
    )
    assert "check" in verbs
    for verb in verbs:
        assert f"engine {verb}" in run(python, "-m", "engine", verb, "--help", folder=folder)


def test_a_file_is_checked(python: Path, folder: Path) -> None:
    verdicts = run(python, "-m", "engine", "check", "games.jsonl.gz", folder=folder).splitlines()
    assert sum('"ok": true' in verdict for verdict in verdicts) == len(verdicts) == GAMES


def test_automatic_players_play(python: Path, folder: Path) -> None:
    assert "belief" in run(
        python, "-m", "engine", "play", "--seats", "belief,odds", "--games", "1", folder=folder
    )


@pytest.mark.parametrize("room", STANDARD_LIBRARY_ALONE)
def test_a_room_needs_the_standard_library_alone(python: Path, folder: Path, room: str) -> None:
    modules = [
        ".".join(file.relative_to(ROOT).with_suffix("").parts)
        for file in (ROOT / "engine" / room).rglob("*.py")
        if file.stem
        not in ("__init__", "solve_duel")  # the duel is solved once; its solution is a file
    ]
    run(python, "-c", f"import {', '.join(modules)}", folder=folder)


def test_what_needs_numpy_says_so(python: Path, folder: Path) -> None:
    answer = run(python, "-m", "engine", "analyse", "kniffel.jsonl.gz", folder=folder, code=2)
    assert answer == "python -m engine: this needs NumPy: pip install 'cups-up-engine[ratings]'\n"
    match = ("play", "--game", "luegen-kniffel", "--games", "1", "--seats")
    assert run(python, "-m", "engine", *match, "odds,random", folder=folder, code=2) == answer
    assert "random" in run(python, "-m", "engine", *match, "random,random", folder=folder)


def test_draws_say_what_they_need_but_for_knock_outs(python: Path, folder: Path) -> None:
    players = '"players":[{"id":"a","score":2},{"id":"b","score":1}]'
    (folder / "draw.json").write_text(f'{{"v":1,"sizes":[2],"seed":"x",{players}}}')
    answer = run(python, "-m", "engine", "draw", "draw.json", folder=folder, code=2)
    assert (
        answer == "python -m engine: this needs rustworkx: pip install 'cups-up-engine[pairing]'\n"
    )
    (folder / "cup.json").write_text(
        f'{{"v":1,"sizes":[2],"seed":"x",{players},"bracket":{{"kind":"single","advance":1}}}}'
    )
    assert '"labels":["final"]' in run(python, "-m", "engine", "draw", "cup.json", folder=folder)


def test_the_extras_are_what_the_rooms_import() -> None:
    project = tomllib.loads((ROOT / "engine" / "pyproject.toml").read_text())["project"]
    names = {
        extra: {re.split(r"\W", needed)[0] for needed in wanted}
        for extra, wanted in project["optional-dependencies"].items()
    }
    assert imported("rating") == names["ratings"]
    assert imported("pairing") == names["pairing"]
    assert set(MISSING) == names["ratings"] | names["pairing"]


def imported(room: str) -> set[str]:
    """Return the packages that a room of the engine imports, without the standard library's."""
    names = set()
    for file in (ROOT / "engine" / room).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Import):
                names |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                names.add(node.module.split(".")[0])
    return names - set(sys.stdlib_module_names) - {"engine"}


def test_the_readme_shows_what_is_true(python: Path, folder: Path) -> None:
    (program,) = re.findall(
        r"```python\n(.*?)```", (ROOT / "engine" / "README.md").read_text(), re.DOTALL
    )
    printed = run(python, "-c", program, folder=folder).splitlines()
    assert re.fullmatch(r"herbst-0001 [0-9a-f]{64}", printed[0])
    assert re.fullmatch(r"1 \w+ \d+", printed[GAMES])
