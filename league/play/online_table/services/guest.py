"""Erasing names at online tables: those of players, and those of guests, who aren't players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db.models import Q

from league.core import sql
from league.core.erasures_file import erasures_keep
from league.core.hooks import Hook
from league.core.log.services import Actor, Journal, club_journal
from league.core.player.actions import PlayerAction
from league.core.player.models import Handle, Player
from league.play.online_table.models import OnlineSeat, OnlineTable
from league.play.online_table.queries import seats_of_guest
from league.play.online_table.services.table import table_changed
from league.play.standing_order.services import orders_forget

seat_forgotten: Hook[[OnlineSeat], None] = Hook()
"""Called when the name of a seat is erased, so that receivers erase the rest of its data."""
SEAT: Final = """
    UPDATE {seat} seat
    SET handle = %(pseudonym)s,
        seal = CASE length(seat.seal)
            WHEN 32 THEN seat.seal
            ELSE sha256(
                convert_to('cups-up/name/1', 'UTF8') || '\\x0a' || seat.seal
                || convert_to(seat.handle, 'UTF8')
            )
        END
    WHERE seat.{game_id} = %(game)s
        AND seat.number = %(number)s
        AND seat.handle <> %(pseudonym)s
"""
"""Replaces the name of a seat by a pseudonym, and its salt, if it has one, by the commitment that
the header has sealed.
"""


def guest_erase(*, table: OnlineTable, seat: OnlineSeat, actor: Actor) -> bool:
    """Replace a guest's name by a pseudonym, here and at the rematches that the same guest played
    with the key of this seat.

    Return False if nothing changed: for a player or an automatic player, or if the name is already
    erased. The guest keeps the seats and plays on. Games, results and digests stay as they are.
    Also add the seats' lasting names to ERASURES_FILE. Raise `OSError` if it can't be written.
    """
    with club_journal(table.club_id, actor) as journal:
        seats = [
            own_seat for own_seat in seats_of_guest(seat) if own_seat.name != own_seat.pseudonym
        ]
        if seats:
            erasures_keep(own_seat.lasting_name for own_seat in seats)
        for own_seat in seats:
            seat_name_forget(journal, own_seat)
    return bool(seats)


def seat_name_forget(journal: Journal, seat: OnlineSeat) -> None:
    """Replace the name of a seat that isn't a player's by a pseudonym.

    Log it first: the database lets no name be erased without an entry.
    """
    table = seat.table
    journal.add(PlayerAction.GUEST_ERASED, table.public_id, {"seat": seat.number})
    journal.write()
    games = (
        ("games_seat", "game_id", table.game_id),
        ("games_openseat", "open_game_id", table.open_game_id),
    )
    for name, game_id, game in games:
        parameters = {"pseudonym": seat.pseudonym, "game": game, "number": seat.number}
        sql.execute(SEAT.format(seat=name, game_id=game_id), parameters)
    OnlineSeat.objects.filter(pk=seat.pk).update(name=seat.pseudonym)
    seat_forgotten(seat)
    table_changed(table)


def online_seats_forget(journal: Journal, players: Sequence[Player]) -> None:
    """Erase the names of erased players at online tables, including those under which they sat as
    guests. Their games keep the pseudonym that every game gets.
    """
    orders_forget(players=players)
    for player in players:
        handles = {word.casefold() for word in Handle.objects.filter(player=player).words()}
        own = Q(player=player)
        if player.user_id is not None:
            own |= Q(user=player.user_id, player=None, table__club=player.club_id)
        for seat in OnlineSeat.objects.filter(own).select_related("table").order_by("pk"):
            if seat.name.casefold() not in handles:
                seat_name_forget(journal, seat)
            seat_forgotten(seat)
            table_changed(seat.table)
        OnlineSeat.objects.filter(own).update(name=player.pseudonym, user=None, key_digest="")
