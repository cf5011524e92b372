"""The canonical address of a page."""

from __future__ import annotations

from django import template
from django.http import HttpRequest
from django.utils.http import urlencode

from league.core.frame.letter_link import public_address

register = template.Library()

register.filter("public_address", public_address)


@register.simple_tag
def canonical(request: HttpRequest) -> str:
    """Return the address of a page without parameters that only one reader has; a page of a list
    keeps its number."""
    number = request.GET.get("page", "")
    query = f"?{urlencode({'page': number})}" if number.isascii() and number.isdigit() else ""
    return public_address(f"{request.path}{query}")
