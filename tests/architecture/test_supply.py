"""All that comes from elsewhere is fixed by version and hash: Python packages, npm's, and the
images of containers."""

import json
import re
from pathlib import Path

import pytest

from tests.architecture.checkout import ROOT

REQUIREMENTS = sorted((ROOT / "requirements").glob("*.txt"))
PIN = re.compile(r"^([a-z0-9][a-z0-9.-]*)==(\S+)( ; [^\\]+)? \\$")
HASH = re.compile(r"^    --hash=sha256:[0-9a-f]{64}( \\)?$")
IMAGE = re.compile(r"^[a-z][a-z0-9/.-]*:[a-z0-9.-]+@sha256:[0-9a-f]{64}$")
MAKEFILE = (ROOT / "Makefile").read_text()


@pytest.mark.parametrize("file", REQUIREMENTS, ids=lambda file: str(file.stem))
def test_every_python_package_has_one_version_and_its_hashes(file: Path) -> None:
    lines = [line for line in file.read_text().splitlines() if not line.lstrip().startswith("#")]
    assert [line for line in lines if not PIN.match(line) and not HASH.match(line)] == []
    pins = [number for number, line in enumerate(lines) if PIN.match(line)]
    assert pins
    assert [lines[number] for number in pins if not HASH.match(lines[number + 1])] == []


def test_what_installs_them_is_locked_like_the_rest() -> None:
    assert "requirements/install.txt" in MAKEFILE
    assert re.search(r"^uv==", (ROOT / "requirements" / "install.txt").read_text(), re.MULTILINE)


def test_nothing_is_installed_without_its_hash() -> None:
    recipes = MAKEFILE + (ROOT / "docker" / "Dockerfile").read_text()
    installing = [line for line in recipes.splitlines() if re.search(r"\bpip install\b", line)]
    assert len(installing) > 3
    assert [line for line in installing if "--require-hashes" not in line] == []
    assert not re.search(r"\bnpm (install|i)\b", recipes), (
        "npm ci holds what it gets against the lock"
    )


def test_every_npm_package_has_a_hash_and_no_address() -> None:
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    locked = {name: package for name, package in packages.items() if name}
    assert [
        name
        for name, package in locked.items()
        if not package.get("integrity", "").startswith("sha512-")
    ] == []
    assert [name for name, package in locked.items() if "resolved" in package] == []


def test_every_image_is_named_by_its_digest() -> None:
    compose, dockerfile = (
        (ROOT / "docker" / name).read_text() for name in ("compose.yml", "Dockerfile")
    )
    images = re.findall(r"^ +image: (\S+)$", compose, re.MULTILINE) + re.findall(
        r"^FROM (\S+)", dockerfile, re.MULTILINE
    )
    ours = re.findall(r"^  image: (\S+)$", compose, re.MULTILINE)
    assert ours == ["cups-up"]
    assert [image for image in images if image not in ours and not IMAGE.match(image)] == []
    assert len(images) == 5


def test_the_list_of_parts_is_of_what_runs() -> None:
    recipe = MAKEFILE.split("\nsbom:")[1].split("\n\n")[0]
    assert "requirements/service.txt" in recipe
    assert "--sbom-format cyclonedx" in recipe
