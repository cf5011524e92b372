"""Devices that show notices: added by their owner, dropped by the owner or when the browser is
gone."""

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
"""How many devices an account may have; a further device replaces the oldest."""
LENGTH: Final = 1000
ADDRESS: Final = re.compile(
    r"https://(?P<host>[a-z0-9.-]+)(:443)?/[\w.~!$&'()*+,;=:@%/?#-]*", re.ASCII | re.IGNORECASE
)
"""An https address of the characters in RFC 3986, without user and password, at the usual port."""


@transaction.atomic
def subscription_save(*, user: User, endpoint: str, p256dh: str, auth: str) -> None:
    """Let a browser show an account's notices, instead of another account's if it showed those.

    Raise `ValidationError` if the address isn't a push service's, or the keys are invalid.
    """
    endpoint_check(endpoint)
    _refuse_malformed_keys(endpoint, p256dh, auth)
    # A lock, so that the count of devices holds.
    User.objects.select_for_update().get(pk=user.pk)
    row, _ = PushSubscription.objects.update_or_create(
        endpoint=endpoint, defaults={"user": user, "p256dh": p256dh, "auth": auth}
    )
    others = PushSubscription.objects.filter(user=user).exclude(pk=row.pk)
    newest_first = others.order_by("-created_at", "-pk").values_list("pk", flat=True)
    surplus = list(newest_first[MOST - 1 :])
    PushSubscription.objects.filter(pk__in=surplus).delete()


def subscription_drop(*, user: User, endpoint: str) -> bool:
    """Stop a browser from showing an account's notices; return False if it wasn't showing them."""
    return bool(PushSubscription.objects.filter(user=user, endpoint=endpoint).delete()[0])


def endpoint_check(endpoint: str) -> None:
    """Raise `ValidationError` unless `endpoint` is an https address, at the usual port, of a push
    service that browsers use (`PUSH_SERVICES`).

    The service sends requests to this address: without the check anybody could make it request
    internal hosts. Characters that some parsers take for the end of the host are refused.
    """
    address = ADDRESS.fullmatch(endpoint) if len(endpoint) <= LENGTH else None
    host = address["host"].lower() if address else ""
    for service in settings.PUSH_SERVICES:
        if host == service or host.endswith(f".{service}"):
            return
    raise ValidationError(gettext("This isn’t the address of a browser’s push service."))


def _refuse_malformed_keys(endpoint: str, p256dh: str, auth: str) -> None:
    if len(p256dh) > 100 or len(auth) > 40:
        raise ValidationError(gettext("The browser’s keys can’t be read."))
    from pywebpush import WebPusher, WebPushException  # aiohttp: only for adding a device

    try:
        # Encrypting any text is the only check of keys that the library offers.
        WebPusher({"endpoint": endpoint, "keys": {"p256dh": p256dh, "auth": auth}}).encode(b"-")
    except (ValueError, TypeError, IndexError, WebPushException) as error:
        raise ValidationError(gettext("The browser’s keys can’t be read.")) from error
