"""Notices of games that are played turn by turn. The turn's clock makes those of a turn, and the
end of the game the last one; the club's log makes none."""

from __future__ import annotations

from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from games.queries.online_game import online_game
from league.core.account.models import User
from league.notices.notice.models import Notice
from league.notices.notice.services.notice import notices_write
from league.play.game_end.queries import end_held
from league.play.game_end.services import end_wait
from league.play.online_table.models import OnlineSeat
from league.play.online_table.services.table import table_changed
from league.play.playing_time.queries import zone_of
from league.play.standing_order.queries import will_believe
from league.play.turn.models import OnlineTurn
from league.play.turn.queries import turn_held
from league.play.turn.services import turn_tell, turn_wait

OCCASIONS: Final = (Notice.Occasion.TURN, Notice.Occasion.TURN_ENDS)


@transaction.atomic
def turn_notice_make(*, seat_id: int) -> bool:
    """Notify the player of a seat (its row id) that it is their turn, or that its time runs out.
    Return False if no notice is due.

    The notice and the turn's row are stored in one transaction, so each notice is made once. Guests
    have no account to notify, and a player with a standing order isn't asked; their time runs all
    the same.
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
        _replace_turn_notice(turn, is_reminder=is_reminder)
    if turn.ends_at != ends_at:
        table_changed(turn.table)
    return True


@transaction.atomic
def end_notice_make(*, seat_id: int) -> bool:
    """Notify the account of a seat (its row id) that its game, played turn by turn, is over. Return
    False if no notice is due.

    The notice replaces those of the table's turns. An account that has seen the end gets none. The
    notice and the row of the end are stored in one transaction, so it is made once.
    """
    now = timezone.now()
    end = end_held(seat_id)
    if end is None or now < end.next_at:
        return False
    seat = end.seat
    if seat.user is None:
        end.delete()
        return False
    if not end.seen and end_wait(end=end, at=now):
        return False
    _delete_turn_notices(seat, seat.user)
    if not end.seen:
        _store_game_over_notice(seat, seat.user)
    end.delete()
    return not end.seen


def seat_name_forget_in_notices(*, seat: OnlineSeat) -> None:
    """Replace the erased name of a seat by its pseudonym in the notices to the others at its table,
    in the caller's transaction.

    `seat` still has the name. Doing it again changes nothing. Notices with the name of a club's
    player are deleted by `notices_erase`.
    """
    if seat.player_id is not None:
        return
    users = OnlineSeat.objects.filter(table=seat.table_id, user__isnull=False).values("user")
    occasions = (*OCCASIONS, Notice.Occasion.GAME_OVER)
    for notice in Notice.objects.filter(
        user__in=users, subject=seat.table.public_id, occasion__in=occasions
    ):
        others = [
            seat.pseudonym if name == seat.name else name for name in notice.parameters["others"]
        ]
        parameters = {**notice.parameters, "others": others}
        Notice.objects.filter(pk=notice.pk).update(parameters=parameters)


def _replace_turn_notice(turn: OnlineTurn, *, is_reminder: bool) -> None:
    user = turn.seat.user
    if user is None:
        return
    _delete_turn_notices(turn.seat, user)
    parameters = {
        "others": _names_of_others(turn.seat),
        "ends_at": turn.ends_at.isoformat(),
        "zone": zone_of(user, turn.table.club),
    }
    notice = Notice(
        user=user,
        club=turn.table.club,
        position=turn.length,
        subject=turn.table.public_id,
        occasion=Notice.Occasion.TURN_ENDS if is_reminder else Notice.Occasion.TURN,
        parameters=parameters,
        seen_at=timezone.now(),  # pages count the player's turns, so it isn't new to them
    )
    notices_write(notices=[notice], club=turn.table.club_id, position=turn.length)


def _store_game_over_notice(seat: OnlineSeat, user: User) -> None:
    table = seat.table
    assert table.open_game_id is not None
    row, sheet = online_game(table.open_game_id)
    ranks = sheet.sheet.ending.rank
    parameters: dict[str, Any] = {"others": _names_of_others(seat)}
    if ranks is not None:
        rank = ranks[seat.number]
        parameters["rank"] = rank
        parameters["shared"] = ranks.count(rank) > 1
    notice = Notice(
        user=user,
        club=table.club,
        position=row.length,
        subject=table.public_id,
        occasion=Notice.Occasion.GAME_OVER,
        parameters=parameters,
    )
    notices_write(notices=[notice], club=table.club_id, position=row.length)


def _delete_turn_notices(seat: OnlineSeat, user: User) -> None:
    Notice.objects.filter(user=user, subject=seat.table.public_id, occasion__in=OCCASIONS).delete()


def _names_of_others(seat: OnlineSeat) -> list[str]:
    others = OnlineSeat.objects.filter(table=seat.table_id).exclude(pk=seat.pk)
    return list(others.order_by("number").values_list("name", flat=True))
