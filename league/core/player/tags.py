"""How players are shown: an avatar with body, painting, face and a die's colour, all derived from
the handle."""

from collections.abc import Collection, Mapping
from functools import lru_cache
from hashlib import sha256

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from games.templatetags.shapes import BODIES, COLOURS, shape
from league.core.club.models import Club
from league.core.member.models.member import Role
from league.core.viewer.permissions import Account, roles_of
from league.core.viewer.queries.author import Author

register = template.Library()
FACES = "12345s"
"""The faces of avatars."""
PAINTINGS = 8
"""The number of paintings of a body, one of which is empty. The name of a shape consists of painting,
body and face: a00s, a215 …"""


@register.simple_tag
@lru_cache(maxsize=4096)
def avatar(handle: str, size: str = "") -> SafeString:
    """Return the avatar of a handle, always the same of 1,536 ones, whatever the handle's case.
    `size`: empty, `l` or `xl`.

    It is decoration: the name stands beside it.
    """
    # The digest of the handle, divided into one choice after the other.
    remaining_bits, colour = divmod(
        int.from_bytes(sha256(handle.casefold().encode()).digest()), COLOURS
    )
    remaining_bits, face = divmod(remaining_bits, len(FACES))
    remaining_bits, body = divmod(remaining_bits, BODIES)
    painting = remaining_bits % PAINTINGS
    classes = ["av", f"c{colour}", f"k{body}"]
    if size:
        classes.insert(1, f"av-{size}")
    return format_html(
        '<svg class="{}" aria-hidden="true"><use href="{}"/></svg>',
        " ".join(classes),
        shape(f"a{painting}{body}{FACES[face]}"),
    )


@register.simple_tag
def person(handle: str, name: str) -> SafeString:
    """Return the avatar with the name: `{% person seat.handle seat.name %}`."""
    return format_html('<span class="who">{}<span>{}</span></span>', avatar(handle), name)


@register.filter
def role_label(role: str) -> str:
    """Return the label of a role."""
    return str(Role(role).label)


@register.simple_tag
def author(authors: Mapping[int, Author], account: int | None) -> SafeString:
    """Return text, to follow a time, that says who did something: `{% author authors
    game.entered_by_id %}` is “, by anna”, or the role for viewers who may not see the name. It is
    empty if the service itself did it."""
    writer = authors.get(account) if account is not None else None
    if writer is None:
        return SafeString("")
    if writer.name:
        return format_html(", {}", gettext("by %(name)s") % {"name": writer.name})
    return format_html(", {}", _role_words(writer))


def _role_words(writer: Author) -> str:
    if writer.role:
        return str(writer.role.label)
    if writer.helper:
        return gettext("a helper")
    return gettext("a former member")


@register.simple_tag
def desk_roles(user: Account, club: Club, roles: object) -> Collection[str]:
    """Return the reader's roles in a club: `roles` if the page has read them already, otherwise by
    one query."""
    if isinstance(roles, set):
        return roles
    return roles_of(user, club)
