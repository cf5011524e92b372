"""New handles that look like others: somebody may have typed them wrongly, or wants to be taken for
somebody else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from league.core.frame.names import mixes_alphabets, skeleton
from league.core.player.models import Handle


class Lookalike(NamedTuple):
    """A new handle and the one that it looks like; empty where it only mixes alphabets."""

    handle: str
    like: str


class Lookalikes:
    """The handles of a club, and those that become known meanwhile, to find out which new ones look
    like them."""

    def __init__(self, club_id: int) -> None:
        self.known = {
            skeleton(handle): handle for handle in Handle.objects.filter(club=club_id).words()
        }

    def among(self, handles: Iterable[str]) -> Iterator[Lookalike]:
        """Those of the new handles that look like a known one, or mix alphabets; from now on all of
        them are known."""
        for handle in handles:
            like = self.known.setdefault(skeleton(handle), handle)
            if like != handle:
                yield Lookalike(handle, like)
            elif mixes_alphabets(handle):
                yield Lookalike(handle, "")
