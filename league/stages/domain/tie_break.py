"""The tie-breaks of stages for whoever chooses them: those of the engine, by the names that rankings show."""

from __future__ import annotations

from django.utils.translation import gettext

from engine.scoring.stage.registry import TIE_BREAKS


def tie_break_choices() -> list[tuple[str, str]]:
    """All tie-breaks in the order in which they are offered, each with its label in the reader's language."""
    return [(str(name), rule.label.translated(gettext)) for name, rule in TIE_BREAKS.items()]


def is_tie_break(name: str) -> bool:
    """A stage can be ranked by a tie-break of this name."""
    return name in TIE_BREAKS
