"""THIRD_PARTY.md names every package that the service is made of, in the version of the locks, with a
licence."""

import json
import re

import pytest

from requirements import notices
from tests.architecture.checkout import ROOT

ROWS = [
    tuple(line.strip("| \n").split(" | "))
    for line in (ROOT / "THIRD_PARTY.md").read_text().splitlines()
    if line.startswith("|")
]
BUILDING = {
    "@tailwindcss/cli",
    "fake-indexeddb",
    "jsdom",
    "prettier",
    "subset-font",
    "typed-query-selector",
    "typescript",
}
"""The npm packages of which nothing reaches browsers."""


@pytest.mark.parametrize("lock", ["service.txt", "base.txt"])
def test_every_python_package_of_the_locks_is_named(lock: str) -> None:
    locked = set(notices.PIN.findall((ROOT / "requirements" / lock).read_text()))
    assert len(locked) > 80
    assert locked - {row[:2] for row in ROWS} == set()


def test_every_npm_package_is_named_or_only_builds() -> None:
    wanted = json.loads((ROOT / "package.json").read_text())["devDependencies"]
    named = {row[0]: row[1] for row in ROWS if row[0] in notices.IN_STATIC_FILES}
    assert named == {name: version for name, version in wanted.items() if name not in BUILDING}


def test_every_one_has_a_licence() -> None:
    unclear = [row for row in ROWS[1:] if not row[2] or re.search(r"None|UNKNOWN", row[2])]
    assert unclear == []


def test_the_file_is_what_the_command_writes() -> None:
    assert (ROOT / "THIRD_PARTY.md").read_text() == notices.notices()
