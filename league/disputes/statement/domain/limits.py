"""The limits of statements about a disputed game, and how long they are kept."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

KEPT_FOR: Final = timedelta(days=90)
"""Words and files are removed once the last dispute about a game has been over this long."""
STATEMENTS_OF_SPEAKER: Final = 10
"""Statements for one seat, or of one witness, about one game."""
FILES_OF_SPEAKER: Final = 5
"""Files for one seat, or of one witness, about one game."""
FILES_OF_GAME: Final = 40
"""Files about one game."""
FILE_BYTES: Final = 4 * 1024 * 1024
"""The largest PDF."""
PICTURE_BYTES: Final = 16 * 1024 * 1024
"""The largest picture that is accepted; it is stored smaller."""
TEXT_BYTES: Final = 200 * 1024
"""The largest text file."""
