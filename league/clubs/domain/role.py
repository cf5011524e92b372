"""The role in which somebody acts: one of the club's, or that of whoever runs the service."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from league.clubs.models import Role

OPERATOR: Final = "operator"
"""Superusers without a role in the club, the command line and the service itself."""
ROLES: Final = (Role.ORGANISER, Role.ARBITER, Role.SCORER, Role.PLAYER)
"""The roles of a club, that first in which somebody acts who has several."""
ROLE_WORDS: Final = {
    Role.ORGANISER.value: gettext_lazy("an organiser"),
    Role.ARBITER.value: gettext_lazy("an arbiter"),
    Role.SCORER.value: gettext_lazy("a scorer"),
    Role.PLAYER.value: gettext_lazy("a player"),
    OPERATOR: gettext_lazy("the operator of the service"),
}


def role_words(role: str) -> str:
    """Say by whom something was done: “an organiser”; nothing where no role is noted down."""
    return str(ROLE_WORDS.get(role, ""))
