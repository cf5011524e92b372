"""Icons. Their shapes are the symbols `i-…` of `games/static/games/shapes.svg`."""

from functools import lru_cache

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.templatetags.shapes import shape

register = template.Library()


@register.simple_tag
@lru_cache(maxsize=64)
def icon(name: str, classes: str = "") -> SafeString:
    """Show an icon: `{% icon "search" %}`, `{% icon "print" "size-5" %}`. It is decoration: the
    words are beside it."""
    attribute = format_html(' class="{}"', classes) if classes else ""
    return format_html(
        '<svg{} aria-hidden="true"><use href="{}"/></svg>', attribute, shape(f"i-{name}")
    )
