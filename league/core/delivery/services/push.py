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
"""How long a push service may take to answer; one that hangs holds up no other kind of job (the
queue `push`)."""
KEPT_SECONDS: Final = 4 * 3600
"""For so long the push service keeps a text for a browser that is off; a table is of no use to
anybody later."""
GONE: Final = (404, 410)  # RFC 8030, 7.3
AGAIN: Final = (408, 429)


class Pushed(Enum):
    """All that became of it. `again`: another time it may work; `refused`: it never will."""

    SENT = "sent"
    GONE = "gone"
    AGAIN = "again"
    REFUSED = "refused"


class PushAnswer(NamedTuple):
    """The way in which a push service answered: what that means, and in which words (a status, or
    the kind of an error)."""

    pushed: Pushed
    error: str = ""


class Straight(Session):
    """Requests that follow no redirect: it could lead where no push service is."""

    def get_redirect_target(self, resp: Response) -> str | None:
        """No place at all."""
        return None

    def rebuild_auth(self, prepared_request: PreparedRequest, response: Response) -> None:
        """Nothing to build: nothing is followed."""


def push_send(*, subscription: PushSubscription, text: Mapping[str, str], tag: str) -> PushAnswer:
    """Send a text to a browser. What is sent twice with one `tag` (at most 32 letters of base64url)
    shows once."""
    from pywebpush import WebPushException, webpush  # aiohttp: for the job that sends

    info = {
        "endpoint": subscription.endpoint,
        "keys": {"p256dh": subscription.p256dh, "auth": subscription.auth},
    }
    try:
        with Straight() as session:
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
        return _answer(error.response)
    except (RequestException, ValueError) as error:
        return PushAnswer(
            Pushed.AGAIN if isinstance(error, RequestException) else Pushed.REFUSED,
            type(error).__name__,
        )
    return PushAnswer(Pushed.SENT)


def _answer(response: Response | None) -> PushAnswer:
    """Return what a status other than 201 and its like means."""
    if response is None:
        return PushAnswer(Pushed.REFUSED, "WebPushException")
    status = response.status_code
    if status in GONE:
        return PushAnswer(Pushed.GONE, str(status))
    return PushAnswer(
        Pushed.AGAIN if status in AGAIN or status >= 500 else Pushed.REFUSED, str(status)
    )


@cache
def push_key() -> str:
    """The service's public key, by which a browser knows who may write to it: base64url of an
    uncompressed point."""
    from py_vapid import Vapid02

    numbers = Vapid02.from_string(settings.VAPID_PRIVATE_KEY).public_key.public_numbers()
    point = b"\x04" + numbers.x.to_bytes(32, "big") + numbers.y.to_bytes(32, "big")
    return urlsafe_b64encode(point).rstrip(b"=").decode()
