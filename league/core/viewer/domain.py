"""The role in which somebody acts: one of the club's, or that of whoever runs the service."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from django.utils.translation import pgettext_lazy

from league.core.member.models.member import Role

OPERATOR: Final = "operator"
"""Superusers without a role in the club, the command line and the service itself."""
ROLES: Final = (Role.ORGANISER, Role.ARBITER, Role.SCORER, Role.PLAYER)
"""The roles of a club, that first in which somebody acts who has several."""
ROLE_WORDS: Final = {
    Role.ORGANISER.value: pgettext_lazy("done by", "an organiser"),
    Role.ARBITER.value: pgettext_lazy("done by", "an arbiter"),
    Role.SCORER.value: pgettext_lazy("done by", "a scorer"),
    Role.PLAYER.value: pgettext_lazy("done by", "a player"),
    f"event_{Role.ORGANISER}": pgettext_lazy("done by", "an organiser of this event"),
    f"event_{Role.ARBITER}": pgettext_lazy("done by", "an arbiter of this event"),
    f"event_{Role.SCORER}": pgettext_lazy("done by", "a scorer of this event"),
    OPERATOR: pgettext_lazy("done by", "the operator of the service"),
}


def event_role(roles: Collection[str]) -> str:
    """The role in which somebody acts who has these for one event alone, as the log notes it; empty
    for none."""
    return next((f"event_{role}" for role in ROLES if role in roles), "")


def role_words(role: str) -> str:
    """Return what stands behind “by”: “an organiser”; nothing where no role is noted down."""
    return str(ROLE_WORDS.get(role, ""))
