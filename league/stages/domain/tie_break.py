"""The tie-breaks of stages for whoever chooses them: those of the engine, by the names that rankings show."""

from __future__ import annotations

from engine.scoring.stage.reasons import NAMES
from league.templatetags.messages import said


def tie_break_choices() -> list[tuple[str, str]]:
    """All tie-breaks in the order in which they are offered, each with its label in the reader's language."""
    return [(str(name), said(label)) for name, label in NAMES.items()]
