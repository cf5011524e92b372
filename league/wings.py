"""The wings of the league in their order, and the modules of their nouns."""

from __future__ import annotations

from pathlib import Path
from typing import Final

WINGS: Final = (
    "core",
    "standings",
    "records",
    "events",
    "stages",
    "sheets",
    "play",
    "floor",
    "counting",
    "disputes",
    "notices",
    "site",
)
"""A wing imports from the wings before it, and from none after it."""


def noun_modules(name: str) -> list[str]:
    """Return the nouns' modules of this name, such as `actions`, in the order of the wings."""
    root = Path(__file__).parent
    return [
        f"{root.name}.{wing}.{folder.name}.{name}"
        for wing in WINGS
        for folder in sorted((root / wing).iterdir())
        if (folder / f"{name}.py").is_file()
    ]
