"""The receivers of the chat: erasing lines when a name is erased at an online table."""

from __future__ import annotations

from league.play.chat.services import seat_lines_erase
from league.play.online_table.models import OnlineSeat
from league.play.online_table.services.guest import seat_forgotten


@seat_forgotten.add
def lines_of_seat_go(seat: OnlineSeat) -> None:
    """Delete all lines of a seat whose name is erased."""
    seat_lines_erase(seat=seat)
