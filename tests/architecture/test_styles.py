"""The stylesheet that browsers get is built from all files that name its classes, and is built anew
with them."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.architecture.checkout import ROOT

SOURCE = ROOT / "league" / "static_src" / "app.css"
BUILT = ROOT / "league" / "static" / "league" / "app.css"
TAILWIND = ROOT / "node_modules" / ".bin" / "tailwindcss"
GLOBS = re.findall(r'^@source "(.+)";$', SOURCE.read_text(), re.MULTILINE)


def read_files() -> set[Path]:
    """Return the files in which Tailwind looks for the names of classes."""
    files = [file for pattern in GLOBS for file in ROOT.glob(_from_root(pattern))]
    return {file for file in files if file.is_file()}


def _from_root(pattern: str) -> str:
    folder, _, below = pattern.partition("*")
    return str((SOURCE.parent / folder).resolve().relative_to(ROOT) / f"*{below}")


@pytest.mark.parametrize("pattern", GLOBS)
def test_every_source_of_classes_is_there(pattern: str) -> None:
    assert any(ROOT.glob(_from_root(pattern)))


def test_classes_are_read_from_every_page_tag_and_script() -> None:
    pages = (ROOT / "templates").rglob("*.html")
    code = [file for room in ("league", "games") for file in (ROOT / room).rglob("*.py")]
    scripts = (ROOT / "league" / "static" / "league").glob("*.js")
    assert {*pages, *code, *scripts} - read_files() == set()


@pytest.mark.skipif(
    not TAILWIND.exists(), reason="Node's packages are missing: npm ci installs them"
)
def test_the_stylesheet_is_what_its_sources_give(tmp_path: Path) -> None:
    fresh = tmp_path / "app.css"
    command = [str(TAILWIND), "-i", str(SOURCE), "-o", str(fresh), "--minify"]
    subprocess.run(command, check=True, capture_output=True, cwd=ROOT)
    assert fresh.read_text() == BUILT.read_text(), "run `make css`, and commit what it writes"
