"""Dice, cups, the road of the track and icons: the symbols of one file, which a browser fetches once and keeps."""

from functools import cache

from django import template
from django.templatetags.static import static

register = template.Library()


@register.simple_tag
@cache
def shape(name: str) -> str:
    """The address of a symbol of `games/static/games/shapes.svg`: `<use href="{% shape "cup-0" %}"/>`.

    Its colours are properties of CSS, which it takes from where it is used.
    """
    return f"{static('games/shapes.svg')}#{name}"
