"""What was published and then taken back stays readable, with a mark that says when, by whom and why."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from league.core.viewer.domain import role_words


class Retraction(NamedTuple):
    """A round that everybody could see was taken back. `reason` is empty where none was given, or none that everybody
    may read; `role` is that of who did it, empty where the log doesn't tell."""

    at: datetime
    reason: str
    role: str

    @property
    def author(self) -> str:
        """By whom it was taken back, in words."""
        return role_words(self.role)
