"""Values that many readers of a page need, cached for a moment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Final, TypeVar, cast

from django.core.cache import cache

from league.core.frame.unchanged import release_digest

T = TypeVar("T")

KEPT_SECONDS: Final = 60


def kept(name: str, versions: Sequence[object], make: Callable[[], T]) -> T:
    """Return the value of `make()`, which is called at most once a minute while the versions stay
    the same.

    `versions` are the versions of the data that the value depends on; the value is made from these
    versions or later ones. Each release has its own values.
    """
    digest = sha256(repr((release_digest(), *versions)).encode()).hexdigest()[:32]
    return cast("T", cache.get_or_set(f"{name}/{digest}", make, KEPT_SECONDS))
