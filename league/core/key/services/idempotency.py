"""Idempotent requests: sent again they get the same answer, and nothing happens twice."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any, NamedTuple

from django.db.models.functions import Now

from league.core.key.models import ApiKey, IdempotencyKey
from league.core.locks import Space, session_lock

WAIT = "30s"
KEPT = timedelta(days=7)  # a program that got no answer asks again within minutes


class KeyReused(Exception):
    """The key was sent before, with another request."""


class Answer(NamedTuple):
    """An answer: the HTTP status and the body as JSON."""

    status: int
    body: dict[str, Any]


def answer_once(
    *, api_key: ApiKey, key: str, request_digest: str, give: Callable[[], Answer]
) -> tuple[Answer, bool]:
    """Return the answer to a request, and True if it is a stored one: the answer that `give`
    returns, or the stored answer if the same request came before.

    Of simultaneous equal requests one is worked on; the others wait for its answer. If `give`
    raises an exception nothing is stored, so the request may be sent again. Raise `KeyReused` if
    the key was sent with another request, `Busy` after waiting for 30 seconds.
    """
    with session_lock(Space.ANSWER, f"{api_key.pk}:{key}", wait=WAIT):
        stored_answer = IdempotencyKey.objects.filter(api_key=api_key, key=key).first()
        if stored_answer is None:
            answer = give()
            IdempotencyKey.objects.create(
                api_key=api_key,
                key=key,
                request_digest=request_digest,
                status=answer.status,
                answer=answer.body,
            )
            return answer, False
    if stored_answer.request_digest != request_digest:
        raise KeyReused(key)
    return Answer(stored_answer.status, stored_answer.answer), True


def keys_forget() -> int:
    """Delete answers older than `KEPT`, and return how many. Records that are sent again change
    nothing even without them."""
    return IdempotencyKey.objects.filter(created_at__lt=Now() - KEPT).delete()[0]
