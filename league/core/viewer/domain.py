"""The role in which somebody acts: one in the club, or the operator's."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from django.utils.translation import pgettext_lazy

from league.core.member.models.member import Role

OPERATOR: Final = "operator"
"""Superusers without a role in the club, the command line and the service itself."""
ROLES: Final = (Role.ORGANISER, Role.ARBITER, Role.SCORER, Role.PLAYER)
"""The roles of a club in order of precedence."""
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
    """Return the role that the log names for somebody with these roles at one event; empty for
    nobody's roles."""
    for role in ROLES:
        if role in roles:
            return f"event_{role}"
    return ""


def role_words(role: str) -> str:
    """Return the role as it stands after “by”, such as “an organiser”; empty for an unknown
    role."""
    return str(ROLE_WORDS.get(role, ""))
