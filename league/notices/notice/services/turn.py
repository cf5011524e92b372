"""Notices of turns at tables that are played turn by turn: the clock makes them, not the club's log."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.utils import timezone

from league.notices.notice.models import Notice
from league.notices.notice.services.notice import notices_write
from league.play.online_table.services.table import table_changed
from league.play.playing_time.queries import zone_of
from league.play.standing_order.queries import will_believe
from league.play.turn.models import OnlineTurn
from league.play.turn.queries import turn_held
from league.play.turn.services import turn_tell, turn_wait

OCCASIONS: Final = (Notice.Occasion.TURN, Notice.Occasion.TURN_ENDS)


@transaction.atomic
def turn_notice_make(*, seat_id: int) -> bool:
    """Tell the player of a seat, given by row id, that it is their turn, or remind them; False: nothing is to be told.

    That it is told and the notice are one transaction, so each is told once. A guest has no account to which a notice
    could go, and whoever has ordered an answer isn't asked for one; their time runs all the same.
    """
    now = timezone.now()
    turn = turn_held(seat_id)
    if turn is None or turn.reminded_at is not None or now < turn.next_at:
        return False
    if turn_wait(turn=turn, at=now):
        return False
    ends_at = turn.ends_at
    is_reminder = turn_tell(turn=turn, at=now)
    if not will_believe(turn.seat):
        _write(turn, is_reminder)
    if turn.ends_at != ends_at:
        table_changed(turn.table)
    return True


def _write(turn: OnlineTurn, is_reminder: bool) -> None:
    """Store the notice in place of those of earlier turns. It counts as seen: the number of one's games says it."""
    user, table = turn.seat.user, turn.table
    if user is None:
        return
    Notice.objects.filter(user=user, subject=table.public_id, occasion__in=OCCASIONS).delete()
    others = table.seats.exclude(pk=turn.seat_id).order_by("number").values_list("name", flat=True)
    parameters = {
        "others": list(others),
        "ends_at": turn.ends_at.isoformat(),
        "zone": zone_of(user, table.club),
    }
    notice = Notice(
        user=user,
        club=table.club,
        position=turn.length,
        subject=table.public_id,
        occasion=Notice.Occasion.TURN_ENDS if is_reminder else Notice.Occasion.TURN,
        parameters=parameters,
        seen_at=timezone.now(),
    )
    notices_write(notices=[notice], club=table.club_id, position=turn.length)
