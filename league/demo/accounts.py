"""The demo's accounts. Their password is published, so each gets a secret one of its own if the
service can be reached from the network."""

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
"""The name, the email address and the role of each account; the operator has no role in the club."""


def demo_password(name: str) -> str:
    """Return the password of a demo account, given by name: the published one if only this machine
    can reach the service, else a secret one."""
    if settings.ONLY_HERE:
        return PASSWORD
    return _network_password(name)


def demo_passwords_set() -> None:
    """Set the demo accounts' passwords to those of `demo_password`, since the service may have been
    reachable from the network before and isn't now, or the reverse.

    A password that somebody has chosen stays."""
    for user in User.objects.filter(username__in=[name for name, _, _ in ACCOUNTS]):
        other_password = _network_password(user.username) if settings.ONLY_HERE else PASSWORD
        if user.check_password(other_password):
            user.set_password(demo_password(user.username))
            user.save(update_fields=["password"])


def _network_password(name: str) -> str:
    """Return a password derived from the service's secret, so it is the same at each start and
    needn't be stored."""
    return salted_hmac("league.demo", name, algorithm="sha256").hexdigest()[:16]
