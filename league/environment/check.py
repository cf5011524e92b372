"""The check of all variables, before anything starts."""

from __future__ import annotations

import os
from difflib import get_close_matches
from typing import Final

from league.environment.declaration import VARIABLES
from league.environment.variable import Environment

SAME_NAME: Final = 0.9
"""How alike two names have to be (0 to 1) for one of them to be a slip: PHOTO_DAY and PHOTO_DAYS
are, DATABASE_USER and DATABASE_URL aren't."""


def environment_check(environment: Environment = os.environ) -> None:
    """Raise `BadSetting` if a variable is invalid, or missing where it is needed."""
    for variable in VARIABLES:
        variable.check(environment)


def slips(environment: Environment = os.environ) -> list[str]:
    """Return a sentence for each variable that nobody reads, but whose name is nearly that of a
    setting."""
    names = {name for variable in VARIABLES for name in (variable.name, variable.file_name)}
    sentences = []
    for name in sorted(environment.keys() - names):
        similar_names = get_close_matches(name, names, n=1, cutoff=SAME_NAME)
        if similar_names:
            sentences.append(f"{name} is no setting; did you mean {similar_names[0]}?")
    return sentences
