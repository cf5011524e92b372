"""All that an audit says of a club, without keeping it."""

from collections.abc import Iterator

from games.domain.difference import Difference
from league.site.audit.services import verify_club


def club_differences(club_id: int, *, styles: bool = True) -> Iterator[Difference]:
    """Every cell of a club that is false, those of playing `styles` among them."""
    for differences, _ in verify_club(club_id, {}, styles=styles):
        yield from differences
