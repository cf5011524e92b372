"""Pushing a text to a browser through its push service (RFC 8030), encrypted (RFC 8291) and signed
(RFC 8292)."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from email.utils import parseaddr
from enum import Enum
from functools import cache
from typing import Final, NamedTuple

import structlog
from django.conf import settings
from requests import PreparedRequest, RequestException, Response, Session

from league.core.delivery.models.subscription import PushSubscription

log = structlog.get_logger(__name__)

SECONDS: Final = 5.0
"""How long a push service may take to answer. If one hangs, only jobs of the queue `push` wait."""
KEPT_SECONDS: Final = 4 * 3600
"""How long the push service keeps a text for a browser that is off; a table is of no use later."""
GONE: Final = (404, 410)  # RFC 8030, 7.3
AGAIN: Final = (408, 429)


class Pushed(Enum):
    """The outcome of a push. `AGAIN`: it may work another time; `REFUSED`: it never will."""

    SENT = "sent"
    GONE = "gone"
    AGAIN = "again"
    REFUSED = "refused"


class PushAnswer(NamedTuple):
    """A push service's answer: the outcome, and the HTTP status or the kind of error."""

    pushed: Pushed
    error: str = ""


class SessionWithoutRedirects(Session):
    """A session that follows no redirect: one could lead to a host that isn't a push service."""

    def get_redirect_target(self, resp: Response) -> str | None:
        """Return None: redirects aren't followed."""
        return None

    def rebuild_auth(self, prepared_request: PreparedRequest, response: Response) -> None:
        """Do nothing: redirects aren't followed."""


def push_send(*, subscription: PushSubscription, text: Mapping[str, str], tag: str) -> PushAnswer:
    """Send a text to a browser, which shows texts with the same `tag` (at most 32 letters of
    base64url) only once."""
    from pywebpush import WebPushException, webpush  # aiohttp: for the job that sends

    info = {
        "endpoint": subscription.endpoint,
        "keys": {"p256dh": subscription.p256dh, "auth": subscription.auth},
    }
    try:
        with SessionWithoutRedirects() as session:
            webpush(
                subscription_info=info,
                data=json.dumps({**text, "tag": tag}),
                vapid_private_key=settings.VAPID_PRIVATE_KEY,
                vapid_claims={"sub": f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"},
                timeout=SECONDS,
                ttl=KEPT_SECONDS,
                headers={"Topic": tag, "Urgency": "high"},
                requests_session=session,
            )
    except WebPushException as error:
        return _answer_of_refusal(error.response)
    except RequestException as error:
        return PushAnswer(Pushed.AGAIN, type(error).__name__)
    except ValueError as error:
        return PushAnswer(Pushed.REFUSED, type(error).__name__)
    return PushAnswer(Pushed.SENT)


def _answer_of_refusal(response: Response | None) -> PushAnswer:
    if response is None:
        return PushAnswer(Pushed.REFUSED, "WebPushException")
    status = response.status_code
    if status in GONE:
        return PushAnswer(Pushed.GONE, str(status))
    if status in AGAIN or status >= 500:
        return PushAnswer(Pushed.AGAIN, str(status))
    return PushAnswer(Pushed.REFUSED, str(status))


@cache
def push_key() -> str:
    """Return the service's public key (the base64url of an uncompressed point): a browser accepts
    texts only from the owner of this key."""
    from py_vapid import Vapid02

    numbers = Vapid02.from_string(settings.VAPID_PRIVATE_KEY).public_key.public_numbers()
    point = b"\x04" + numbers.x.to_bytes(32, "big") + numbers.y.to_bytes(32, "big")
    return urlsafe_b64encode(point).rstrip(b"=").decode()
