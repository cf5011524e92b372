"""All that pages say of how somebody runs the service: who that is, and whether it sends mail."""

from django import template
from django.conf import settings
from django.utils.translation import gettext

from league.demo.accounts import ACCOUNTS, PASSWORD

register = template.Library()


@register.simple_tag
def pages_of_operator() -> list[tuple[str, str]]:
    """Label and address of the pages that the settings name."""
    pages = [(gettext("Imprint"), settings.IMPRINT_URL), (gettext("Privacy"), settings.PRIVACY_URL)]
    return [(label, address) for label, address in pages if address]


@register.simple_tag
def demo_logins() -> list[tuple[str, str]]:
    """Role and email address of the demo's accounts, whose password is published; none where others
    reach it."""
    if not (settings.DEMO and settings.ONLY_HERE):
        return []
    return [
        (str(role.label) if role else gettext("Administration"), email)
        for _, email, role in ACCOUNTS
    ]


@register.simple_tag
def demo_password() -> str:
    """The password of all of them."""
    return PASSWORD


@register.simple_tag
def mail_leaves() -> bool:
    """True if letters go to a mail server; without one each becomes a file, and nobody gets it."""
    return settings.MAIL_LEAVES
