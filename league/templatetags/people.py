"""How a player is shown: body, painting, face and colour of a die, all of them from the handle."""

from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from league.rankings.queries.gameline import SeatLine

register = template.Library()

FACES = ("f1", "f2", "f3", "f4", "f5", "fs")
"""What an avatar can show."""
COLOURS = 8
"""The classes c0 to c7 of `dice.css`."""
BODIES = 4
"""The classes k0 to k3 of `dice.css`, with the edges o0 to o3 of the sprite."""
PAINTINGS = 8
"""What can be painted on the body: nothing, or one of v1 to v7 of the sprite."""


@lru_cache(maxsize=4096)
def _avatar(handle: str, size: str) -> SafeString:
    rest, colour = divmod(int.from_bytes(sha256(handle.casefold().encode()).digest()), COLOURS)
    rest, face = divmod(rest, len(FACES))
    rest, body = divmod(rest, BODIES)
    painting = rest % PAINTINGS
    shapes = [*([f"v{painting}"] if painting else []), f"o{body}", FACES[face]]
    return format_html(
        '<svg class="{}" aria-hidden="true">{}</svg>',
        " ".join(("av", *([f"av-{size}"] if size else []), f"c{colour}", f"k{body}")),
        format_html_join("", '<use href="#{}"/>', [(shape,) for shape in shapes]),
    )


@register.simple_tag
def avatar(handle: str, size: str = "") -> SafeString:
    """The avatar of a handle: always the same one of 1,536, whatever the letters' case. `size`: empty, `l` or `xl`.

    It is decoration: the name stands beside it.
    """
    return _avatar(handle, size)


@register.simple_tag
def person(handle: str, name: str) -> SafeString:
    """The avatar and the name beside it: `{% person seat.handle seat.name %}`."""
    return format_html('<span class="who">{}<span>{}</span></span>', _avatar(handle, ""), name)


@register.filter
def names_but(seats: Iterable[SeatLine], player: str) -> str:
    """Who sat at a table besides one player: `{{ game.seats|names_but:row.player }}` is “Ben, Cleo”."""
    return ", ".join(seat["name"] for seat in seats if seat["player"] != player)
