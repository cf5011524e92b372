"""Devices that show notices: added by their owner's browser, dropped by the owner or when the
browser is gone."""

from __future__ import annotations

import re
from typing import Final

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext

from league.core.account.models import User
from league.core.delivery.models.subscription import PushSubscription

MOST: Final = 10
"""So many devices an account has; one more takes the place of the oldest."""
LENGTH: Final = 1000
ADDRESS: Final = re.compile(
    r"https://(?P<host>[a-z0-9.-]+)(:443)?/[\w.~!$&'()*+,;=:@%/?#-]*", re.ASCII | re.IGNORECASE
)
"""An address by https, of the signs that RFC 3986 knows, without an account, at the usual port."""


@transaction.atomic
def subscription_save(*, user: User, endpoint: str, p256dh: str, auth: str) -> None:
    """Let a browser show an account's notices; whose it was before doesn't matter, since it is one
    browser.

    Raises `ValidationError` for an address that is none of a browser's push service, and for keys
    that are none."""
    endpoint_check(endpoint)
    _refuse_keys(endpoint, p256dh, auth)
    User.objects.select_for_update().get(pk=user.pk)
    row, _ = PushSubscription.objects.update_or_create(
        endpoint=endpoint, defaults={"user": user, "p256dh": p256dh, "auth": auth}
    )
    other_devices = (
        PushSubscription.objects.filter(user=user).exclude(pk=row.pk).order_by("-created_at", "-pk")
    )
    PushSubscription.objects.filter(
        pk__in=list(other_devices.values_list("pk", flat=True)[MOST - 1 :])
    ).delete()


def subscription_drop(*, user: User, endpoint: str) -> bool:
    """Let a browser show an account's notices no longer; False: it did not."""
    return bool(PushSubscription.objects.filter(user=user, endpoint=endpoint).delete()[0])


def endpoint_check(endpoint: str) -> None:
    """Accept an address at a push service that browsers use (`PUSH_SERVICES`), by https and at its
    usual port.

    Whoever may name an address has the service ask it: without this list also such as only our own
    machines reach. No sign is let through that two readers of addresses could take for the end of
    the host. Raises `ValidationError`."""
    address = ADDRESS.fullmatch(endpoint) if len(endpoint) <= LENGTH else None
    host = address["host"].lower() if address else ""
    if not any(
        host == service or host.endswith(f".{service}") for service in settings.PUSH_SERVICES
    ):
        raise ValidationError(gettext("This is no address of a browser’s push service."))


def _refuse_keys(endpoint: str, p256dh: str, auth: str) -> None:
    """Raise `ValidationError` for keys by which nothing can be encrypted."""
    if len(p256dh) > 100 or len(auth) > 40:
        raise ValidationError(gettext("The browser’s keys can’t be read."))
    from pywebpush import WebPusher, WebPushException  # aiohttp: only for who adds a device

    try:
        WebPusher({"endpoint": endpoint, "keys": {"p256dh": p256dh, "auth": auth}}).encode(b"-")
    except (ValueError, TypeError, IndexError, WebPushException) as error:
        raise ValidationError(gettext("The browser’s keys can’t be read.")) from error
