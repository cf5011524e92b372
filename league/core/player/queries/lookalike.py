"""New handles that look like others: typing errors, or impersonation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from league.core.frame.names import mixes_alphabets, skeleton
from league.core.player.models import Handle


class Lookalike(NamedTuple):
    """A new handle, and the known handle that it looks like; empty if the new one only mixes
    alphabets."""

    handle: str
    like: str


class Lookalikes:
    """The known handles of a club, for finding new ones that look like them."""

    def __init__(self, club_id: int) -> None:
        self.known = {
            skeleton(handle): handle for handle in Handle.objects.filter(club=club_id).words()
        }

    def among(self, handles: Iterable[str]) -> Iterator[Lookalike]:
        """Yield the new handles that look like a known one or mix alphabets. From then on all of
        these handles count as known."""
        for handle in handles:
            like = self.known.setdefault(skeleton(handle), handle)
            if like != handle:
                yield Lookalike(handle, like)
            elif mixes_alphabets(handle):
                yield Lookalike(handle, "")
