"""QR codes of addresses."""

from functools import lru_cache

import segno
from django import template
from django.utils.safestring import SafeString

from league.up.network import is_loopback_origin

register = template.Library()

register.filter("opens_only_here", is_loopback_origin)


@register.simple_tag
@lru_cache(maxsize=1024)
def qr(address: str) -> SafeString:
    """Return the QR code of an address as SVG, as large as its place: `{% qr url %}`. Screen
    readers don't see it, so the address is beside it as a link."""
    code = segno.make(address, error="m", micro=False)
    svg = code.svg_inline(
        border=4, omitsize=True, svgclass="qr", lineclass=None, dark="#000", light="#fff"
    )
    return SafeString(svg.replace("<svg ", '<svg aria-hidden="true" ', 1))
