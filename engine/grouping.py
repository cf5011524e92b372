"""Group values by key."""

from collections import defaultdict
from collections.abc import Iterable
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


def lists_by_key(pairs: Iterable[tuple[K, V]]) -> defaultdict[K, list[V]]:
    """Return the values of each key in order; an unknown key has none."""
    lists: defaultdict[K, list[V]] = defaultdict(list)
    for key, value in pairs:
        lists[key].append(value)
    return lists
