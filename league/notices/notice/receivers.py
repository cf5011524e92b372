"""What notices do when a name is erased at an online table."""

from __future__ import annotations

from league.notices.notice.services.turn import seat_name_forget_in_notices
from league.play.online_table.models import OnlineSeat
from league.play.online_table.services.guest import seat_forgotten


@seat_forgotten.add
def notices_forget_seat(seat: OnlineSeat) -> None:
    """Leave the pseudonym of a seat in what the others at its table were told."""
    seat_name_forget_in_notices(seat=seat)
