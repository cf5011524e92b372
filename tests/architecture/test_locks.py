"""What is installed is locked: each package by version and hash, wherever it is fetched from."""

import json
import re
from pathlib import Path

import pytest

from tests.architecture.checkout import ROOT

LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
PACKAGE = re.compile(r"([a-z0-9][a-z0-9._-]*)(\[[a-z,]+\])?==\S+( ; .+)?( --hash=sha256:[0-9a-f]{64})+")
ADDRESS = re.compile(r"://|--index-url|--find-links|git\+")


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_a_python_package_is_locked_by_version_and_hash_without_an_address(lock: Path) -> None:
    lines = [line for line in lock.read_text().splitlines() if not line.lstrip().startswith("#")]
    packages = re.sub(r" \\\n +", " ", "\n".join(lines)).splitlines()
    assert packages
    for package in packages:
        assert PACKAGE.fullmatch(package), package
        assert not ADDRESS.search(package), package


def test_a_node_package_is_locked_by_hash_without_an_address() -> None:
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    assert packages.pop("")["name"] == "cups-up"
    for name, package in packages.items():
        # A package that comes inside another one is covered by that one's hash.
        assert package.get("inBundle") or re.match("sha(512|256)-", package["integrity"]), name
        assert "resolved" not in package, name
