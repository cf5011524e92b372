"""What is installed is locked: each package by version and hash, wherever it is fetched from."""

import ast
import json
import re
import sys
from pathlib import Path

import pytest

from tests.architecture.checkout import ROOT

LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
OURS = {"bench", "engine", "games", "league"}
DISTRIBUTIONS = {"pyspiel": "open-spiel"}
"""The packages that are called otherwise than their modules."""
PACKAGE = re.compile(
    r"([a-z0-9][a-z0-9._-]*)(\[[a-z,]+\])?==\S+( ; .+)?( --hash=sha256:[0-9a-f]{64})+"
)
ADDRESS = re.compile(r"://|--index-url|--find-links|git\+")


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_a_python_package_is_locked_by_version_and_hash_without_an_address(lock: Path) -> None:
    lines = [line for line in lock.read_text().splitlines() if not line.lstrip().startswith("#")]
    packages = re.sub(r" \\\n +", " ", "\n".join(lines)).splitlines()
    assert packages
    for package in packages:
        assert PACKAGE.fullmatch(package), package
        assert not ADDRESS.search(package), package


def imported(file: Path) -> set[str]:
    """The modules that a file imports, and the names that it imports from them."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *[f"{node.module}.{alias.name}" for alias in node.names]}
    return names


def test_all_that_benchmarks_import_is_installed_with_them() -> None:
    lock = (ROOT / "requirements" / "bench.txt").read_text()
    locked = set(re.findall(r"^([a-z0-9][a-z0-9._-]*)==", lock, re.MULTILINE))
    files = sorted((ROOT / "bench").rglob("*.py"))
    for file in files:
        for name in imported(file):
            module = ROOT / f"{name.replace('.', '/')}.py"
            if name.startswith("tests.") and module.is_file() and module not in files:
                files.append(module)
    packages = {name.partition(".")[0] for file in files for name in imported(file)}
    packages -= {*sys.stdlib_module_names, *OURS, "tests"}
    assert "openskill" in packages
    assert {DISTRIBUTIONS.get(package, package) for package in packages} <= locked


def test_a_node_package_is_locked_by_hash_without_an_address() -> None:
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    assert packages.pop("")["name"] == "cups-up"
    for name, package in packages.items():
        # A package that comes inside another one is covered by that one's hash.
        assert package.get("inBundle") or re.match("sha(512|256)-", package["integrity"]), name
        assert "resolved" not in package, name
