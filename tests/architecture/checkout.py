"""The checkout that the tests of this folder look at."""

import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def pyproject() -> dict[str, Any]:
    """What pyproject.toml says, as nested tables."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text())
