"""Hooks of online tables: when a name is erased, notices show the pseudonym."""

from __future__ import annotations

from league.notices.notice.services.turn import seat_name_forget_in_notices
from league.play.online_table.models import OnlineSeat
from league.play.online_table.services.guest import seat_forgotten


@seat_forgotten.add
def notices_forget_seat(seat: OnlineSeat) -> None:
    """Replace the name of a seat by its pseudonym in the notices to the others at its table."""
    seat_name_forget_in_notices(seat=seat)
