"""How many random games the tests of secrecy play: a few in the suite, thousands by hand."""

from __future__ import annotations

import os
from typing import Final

GAMES: Final = range(int(os.environ.get("SECRECY_GAMES", "2")))
"""The seeds of the games that each of these tests plays. `SECRECY_GAMES=1000` plays a thousand."""
