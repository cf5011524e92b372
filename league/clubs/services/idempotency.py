"""The same request sent again gets the answer it got, and nothing happens twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, NamedTuple
from zlib import crc32

from django.db import OperationalError, connection
from django.db.models.functions import Now

from league.clubs.models import ApiToken, IdempotencyKey

LOCK_SPACE = 0x1DE7  # the first half of the advisory lock's key; a hash of token and key is the second
LOCK_TIMEOUT = "30s"
KEPT = timedelta(days=7)  # a program that got no answer asks again within minutes


class KeyReused(Exception):
    """The key was sent before, with another request."""


class KeyBusy(Exception):
    """The first request with this key is still being worked on."""


class Answer(NamedTuple):
    """What was answered: the HTTP status and the body as JSON."""

    status: int
    body: dict[str, Any]


def answer_once(*, token: ApiToken, key: str, request_digest: str, give: Callable[[], Answer]) -> tuple[Answer, bool]:
    """The answer that `give` gives, or gave when the same request came before; and whether it is the stored one.

    Of several requests at the same moment one is worked on and the others wait for its answer. What raises is not
    stored, so such a request may be sent again. Raises `KeyReused`, and `KeyBusy` after 30 seconds.
    """
    with _alone(f"{token.pk}:{key}"):
        stored = IdempotencyKey.objects.filter(token=token, key=key).first()
        if stored is None:
            answer = give()
            IdempotencyKey.objects.create(
                token=token, key=key, request_digest=request_digest, status=answer.status, answer=answer.body
            )
            return answer, False
    if stored.request_digest != request_digest:
        raise KeyReused(key)
    return Answer(stored.status, stored.answer), True


def keys_forget() -> int:
    """Forget the answers older than `KEPT` and return how many; records sent again stay unchanged without them."""
    return IdempotencyKey.objects.filter(created_at__lt=Now() - KEPT).delete()[0]


@contextmanager
def _alone(name: str) -> Iterator[None]:
    """One request at a time has the name. The lock is the session's, not a transaction's: every record is imported in
    a transaction of its own. The database forgets the lock of a process that was killed."""
    place = (LOCK_SPACE, crc32(name.encode()) - 2**31)
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('lock_timeout', %s, false)", [LOCK_TIMEOUT])
        try:
            cursor.execute("SELECT pg_advisory_lock(%s, %s)", place)
        except OperationalError as error:
            if getattr(error.__cause__, "sqlstate", None) == "55P03":  # lock_not_available
                raise KeyBusy(name) from error
            raise
        finally:
            cursor.execute("SELECT set_config('lock_timeout', '0', false)")
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", place)
