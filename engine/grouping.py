"""Values put together by what they share."""

from collections import defaultdict
from collections.abc import Iterable
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


def lists_by_key(pairs: Iterable[tuple[K, V]]) -> defaultdict[K, list[V]]:
    """The values of each key, in the order in which they come; none for another key."""
    lists: defaultdict[K, list[V]] = defaultdict(list)
    for key, value in pairs:
        lists[key].append(value)
    return lists
