"""How people are shown: a player by a die face and a colour, both from the handle."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from zlib import crc32

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from games.templatetags.shapes import shape
from league.clubs.models import Role
from league.clubs.queries.author import Author
from league.rankings.queries.gameline import SeatLine

register = template.Library()

FACES = ("d1", "d2", "d3", "d4", "d5", "ds")
"""The shapes that an avatar can have (`games.templatetags.shapes`)."""
COLOURS = 8
"""The classes c0 to c7 of `dice.css`."""


@lru_cache(maxsize=4096)
def _avatar(handle: str, size: str) -> SafeString:
    colour, face = divmod(crc32(handle.casefold().encode()) % (COLOURS * len(FACES)), len(FACES))
    classes = f"av av-{size} c{colour}" if size else f"av c{colour}"
    return format_html('<svg class="{}" aria-hidden="true"><use href="{}"/></svg>', classes, shape(FACES[face]))


@register.simple_tag
def avatar(handle: str, size: str = "") -> SafeString:
    """The avatar of a handle: always the same one of 48, whatever the letters' case. `size`: empty, `l` or `xl`.

    It is decoration: the name stands beside it.
    """
    return _avatar(handle, size)


@register.simple_tag
def person(handle: str, name: str) -> SafeString:
    """The avatar and the name beside it: `{% person seat.handle seat.name %}`."""
    return format_html('<span class="who">{}<span>{}</span></span>', _avatar(handle, ""), name)


@register.filter
def role_label(role: str) -> str:
    """What a role is called."""
    return str(Role(role).label)


@register.filter
def names_but(seats: Iterable[SeatLine], player: str) -> str:
    """Who sat at a table besides one player: `{{ game.seats|names_but:row.player }}` is “Ben, Cleo”."""
    return ", ".join(seat["name"] for seat in seats if seat["player"] != player)


@register.simple_tag
def author(authors: Mapping[int, Author], account: int | None) -> SafeString:
    """Who did something, behind its time: `{% author authors game.entered_by_id %}` is “, by anna”, or the role for
    those who mayn't know the name. Nothing for the service itself."""
    found = authors.get(account) if account is not None else None
    if found is None:
        return SafeString("")
    if found.name:
        return format_html(", {}", gettext("by %(name)s") % {"name": found.name})
    return format_html(", {}", found.role.label if found.role else gettext("a former member"))
