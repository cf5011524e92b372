"""Dice, cups, the road of the track and icons: symbols in one file, which browsers cache."""

from functools import cache

from django import template
from django.templatetags.static import static

register = template.Library()
COLOURS = 8
"""The classes c0 to c7 of `dice.css`."""
BODIES = 4
"""The classes k0 to k3 of `dice.css`, with the edges of the shapes."""


@register.simple_tag
@cache
def shape(name: str) -> str:
    """Return the address of a symbol of `games/static/games/shapes.svg`: `<use href="{% shape
    "cup-0" %}"/>`.

    Its colours are CSS properties of the place where it is used.
    """
    return f"{static('games/shapes.svg')}#{name}"
