"""The registry of actions. Each noun registers its own, so the log knows none of them."""

from __future__ import annotations

from typing import Final, TypeVar

from django.db import models

LONGEST: Final = 20
"""The most characters of an action's name."""


class Action(models.TextChoices):
    """An action with its label. Its value names the noun and the verb: `event.created`."""


Actions = TypeVar("Actions", bound=type[Action])
ACTIONS: Final[dict[str, Action]] = {}
"""All registered actions by name, in the order of the wings."""


def register(actions: Actions) -> Actions:
    """Register a noun's actions. Raise `ValueError` if a name is taken or too long."""
    for action in actions:
        if action.value in ACTIONS or len(action.value) > LONGEST:
            raise ValueError(
                f"{action.value} is registered already, or longer than {LONGEST} characters"
            )
        ACTIONS[action.value] = action
    return actions
