"""All that an audit says of a club, without keeping it."""

from collections.abc import Iterator

from games.domain.difference import Checkpoint, Difference
from league.site.audit.services import verify_club


def club_differences(
    club_id: int, start: Checkpoint | None = None, *, styles: bool = True
) -> Iterator[Difference]:
    """Every cell of a club that is false from that part of an audit on, those of playing `styles`
    among them."""
    for differences, _ in verify_club(club_id, start or {}, styles=styles):
        yield from differences
