"""Pages of whoever runs the service, in the foot of every page."""

from django import template
from django.conf import settings
from django.utils.translation import gettext

register = template.Library()


@register.simple_tag
def pages_of_operator() -> list[tuple[str, str]]:
    """Label and address of the pages that the settings name."""
    pages = [(gettext("Imprint"), settings.IMPRINT_URL), (gettext("Privacy"), settings.PRIVACY_URL)]
    return [(label, address) for label, address in pages if address]
