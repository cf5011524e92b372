"""The demo's accounts. Their password is published, so on a network each account gets one of its
own."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.utils.crypto import salted_hmac

from league.core.account.models import User
from league.core.member.models.member import Role

PASSWORD: Final = "hoch-die-becher"  # noqa: S105 published: it opens nothing unless the service serves this machine alone

ACCOUNTS: Final = (
    ("admin", "admin@example.org", None),
    ("organiser", "organiser@example.org", Role.ORGANISER),
    ("scorer", "scorer@example.org", Role.SCORER),
    ("arbiter", "arbiter@example.org", Role.ARBITER),
)


def demo_password(name: str) -> str:
    """Return the password of a demo account that is safe where the service runs now."""
    if settings.ONLY_HERE:
        return PASSWORD
    return _network_password(name)


def demo_passwords_set() -> None:
    """Change the demo accounts' passwords from those of one machine to those of a network, or back:
    the data may have been made while it ran the other way.

    A password that somebody has chosen stays."""
    for user in User.objects.filter(username__in=[name for name, _, _ in ACCOUNTS]):
        former = _network_password(user.username) if settings.ONLY_HERE else PASSWORD
        if user.check_password(former):
            user.set_password(demo_password(user.username))
            user.save(update_fields=["password"])


def _network_password(name: str) -> str:
    """Derive a password from the service's secret: it is the same at each start, and not stored."""
    return salted_hmac("league.demo", name, algorithm="sha256").hexdigest()[:16]
