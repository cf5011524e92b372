"""What pages say about the operator: who that is, and whether mail is sent."""

from django import template
from django.conf import settings
from django.utils.translation import gettext

from league.demo.accounts import ACCOUNTS, PASSWORD

register = template.Library()


@register.simple_tag
def pages_of_operator() -> list[tuple[str, str]]:
    """Return label and address of the pages in the settings."""
    pages = [(gettext("Imprint"), settings.IMPRINT_URL), (gettext("Privacy"), settings.PRIVACY_URL)]
    return [(label, address) for label, address in pages if address]


@register.simple_tag
def demo_logins() -> list[tuple[str, str]]:
    """Return role and email address of the demo's accounts, whose password is published; none if
    others can reach the service."""
    if not (settings.DEMO and settings.ONLY_HERE):
        return []
    return [
        (str(role.label) if role else gettext("Administration"), email)
        for _, email, role in ACCOUNTS
    ]


@register.simple_tag
def demo_password() -> str:
    """Return the password of all of them."""
    return PASSWORD


@register.simple_tag
def mail_leaves() -> bool:
    """Return True if emails go to a mail server; without one each becomes a file, and nobody gets
    it."""
    return settings.MAIL_LEAVES
