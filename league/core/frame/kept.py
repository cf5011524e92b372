"""Values that many readers of a page need, cached for a moment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Final, TypeVar, cast

from django.core.cache import cache

from league.core.frame.unchanged import release

T = TypeVar("T")

KEPT_SECONDS: Final = 60


def kept(name: str, versions: Sequence[object], make: Callable[[], T]) -> T:
    """Return what `make` returns, made at most once a minute while the versions stay the same.

    `versions` say what it depends on, like those of `unless_unchanged`; the value comes from them
    or from later ones. Each release has its own."""
    digest = sha256(repr((release(), *versions)).encode()).hexdigest()[:32]
    return cast("T", cache.get_or_set(f"{name}/{digest}", make, KEPT_SECONDS))
