"""Rulings by number, as links to the rules in the manual."""

from functools import lru_cache

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
@lru_cache(maxsize=1024)
def ruling(number: str, words: str = "") -> SafeString:
    """Return the link to a ruling: `{% ruling "B9" %}`, or with other words `{% ruling "K12"
    _("Bonus") %}`."""
    return format_html('<a href="{}#{}">{}</a>', reverse("rules"), number.lower(), words or number)
