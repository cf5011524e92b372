"""Values and parts of pages that many readers need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final, TypeVar, cast

from django.core.cache import cache, caches
from django.http import HttpRequest
from django.utils.translation import get_language

from league.core.frame.unchanged import release_digest

T = TypeVar("T")

KEPT_SECONDS: Final = 60
DRAWN_SECONDS: Final = 24 * 3600


def kept(
    name: str, versions: Sequence[object], make: Callable[[], T], seconds: int = KEPT_SECONDS
) -> T:
    """Return the value of `make()`, which is called at most once in so many seconds while the
    versions stay the same.

    `versions` are the versions of the data that the value depends on; the value is made from these
    versions or later ones. Each release has its own values.
    """
    digest = sha256(repr((release_digest(), *versions)).encode()).hexdigest()[:32]
    return cast("T", cache.get_or_set(f"{name}/{digest}", make, seconds))


def drawn(key: str, draw: Callable[[], T]) -> T:
    """Return a part of a page, or a picture, that many readers share: the value of `draw()`, which
    is called once for each key."""
    return cast("T", caches["drawn"].get_or_set(key, draw, DRAWN_SECONDS))


def shared_key(request: HttpRequest, versions: Sequence[object]) -> str:
    """Return the key of the parts of a page that many readers share, for Django's `cache` tag:
    `{% cache 86400 event_course shared_key using="drawn" %}`.

    `versions`: the versions of everything that these parts show, and whatever decides who sees
    what, such as `rights_of`. The key adds the address, the language and the date. A shared part
    has nothing of a single reader in it: no name of an account, no CSRF token."""
    asked_for = (request.build_absolute_uri(), get_language(), datetime.now(UTC).date())
    return sha256(repr((*versions, *asked_for)).encode()).hexdigest()
