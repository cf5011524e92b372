"""Everything that can stand in a log. Each noun registers what is done to it; the log knows none of
them."""

from __future__ import annotations

from typing import Final, TypeVar

from django.db import models

LONGEST: Final = 20
"""Characters of an action's name."""


class Action(models.TextChoices):
    """An action, with the words for it. It is named by its noun and what was done to that:
    `event.created`."""


Actions = TypeVar("Actions", bound=type[Action])
ACTIONS: Final[dict[str, Action]] = {}
"""All that are registered, by name, in the order of the wings."""


def register(actions: Actions) -> Actions:
    """Let the actions of a noun stand in logs. Raises `ValueError` for a name that is too long, or
    taken."""
    for action in actions:
        if action.value in ACTIONS or len(action.value) > LONGEST:
            raise ValueError(
                f"{action.value} is registered already, or longer than {LONGEST} characters"
            )
        ACTIONS[action.value] = action
    return actions
