"""The lobby of an online table: opening one, sitting down, and beginning the game."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from django.db import transaction
from django.utils import timezone

from engine.illegal import Illegal, Refused
from engine.messages import say
from engine.record.canonical import canonical_json
from engine.record.handle import handle_fault
from engine.record.record import VERSION, Record, read
from games.models import Kind, OpenSheet
from games.services.online_game import (
    online_game_open,
    secret_make,
)
from league.core.account.models import User
from league.core.club.models import Club
from league.core.frame.letter_link import digest_of, new_token
from league.core.frame.names import name_tidied
from league.core.log.services import Actor, club_journal
from league.core.player.models import Handle, Player
from league.play.online_table.actions import PlayAction
from league.play.online_table.models import NAME_LENGTH, SEED, OnlineSeat, OnlineTable
from league.play.online_table.queries import seats_of
from league.play.online_table.services.automatic import AUTOMATIC_NAMES
from league.play.online_table.services.game import game_go_on
from league.play.online_table.services.table import table_changed
from league.play.standing_order.services import orders_keep
from league.play.turn.services import turns_set_anew


def online_table_open(*, club: Club, user: User, rules: Mapping[str, Any], settings: Mapping[str, Any]) -> OnlineTable:
    """Open a table of a club, at which the account that opens it sits first. `settings`: fields of `OnlineTable`.

    Raises `ValidationError` by field.
    """
    with club_journal(club.pk, Actor(user.pk)) as journal:
        table = OnlineTable(club=club, rules=dict(rules), commitment=secret_make(), **settings)
        table.full_clean(exclude=["public_id"])
        table.save()
        _sit(table, [], name=_name_of(club, user), user=user)
        payload = {"rules": table.rules, "commitment": table.commitment}
        journal.add(PlayAction.TABLE_OPENED, table.public_id, payload)
    return table


@transaction.atomic
def rematch(*, table: OnlineTable, seat: OnlineSeat) -> OnlineTable:
    """Open the same table once more, for the same players; twice is once. Raises `Refused` (`not_over`)."""
    table = OnlineTable.objects.select_for_update().get(pk=table.pk)
    again = OnlineTable.objects.filter(rematch_of=table).first()
    if again is not None:
        return again
    if table.status != OnlineTable.Status.OVER:
        raise Refused(Illegal("not_over", say("the game isn't over")))
    again = OnlineTable.objects.create(
        club=table.club,
        rules=table.rules,
        most_seats=table.most_seats,
        move_seconds=table.move_seconds,
        bank_seconds=table.bank_seconds,
        move_days=table.move_days,
        listed=table.listed,
        commitment=secret_make(),
        rematch_of=table,
    )
    with club_journal(table.club_id, Actor(seat.user_id)) as journal:
        payload = {"rules": again.rules, "commitment": again.commitment, "rematch_of": table.public_id}
        journal.add(PlayAction.TABLE_OPENED, again.public_id, payload)
    seats: list[OnlineSeat] = []
    for former in [seat, *[each for each in seats_of(table) if each.pk != seat.pk]]:
        seats.append(
            _sit(
                again,
                seats,
                name=former.name,
                user=former.user,
                player_id=former.player_id,
                digest=former.key_digest,
                automatic=former.automatic,
            )
        )
    table_changed(table)
    return again


@transaction.atomic
def seat_take(*, table: OnlineTable, user: User | None, name: str, seed: bytes = b"") -> tuple[OnlineSeat, str]:
    """Sit down at a table, as an account or as a guest with a name: the seat, and the key that a guest's browser keeps.

    An account that sits there already keeps its seat. Raises `Refused`: `table_started`, `table_full`, `bad_name`,
    `name_taken`.
    """
    seats = _lobby(table)
    if user is not None:
        own = next((seat for seat in seats if seat.user_id == user.pk), None)
        if own is not None:
            return own, ""
        name = _name_of(table.club, user)
    key = "" if user is not None else new_token()
    seat = _sit(table, seats, name=name, user=user, digest=digest_of(key) if key else "", seed=seed)
    table_changed(table)
    return seat, key


@transaction.atomic
def seat_keep(*, table: OnlineTable, seat: OnlineSeat, user: User) -> None:
    """Let a guest's seat be that of an account, which then finds it on each device, and of its player in the club.

    An account that sits there already keeps the seat it has. Twice is once.
    """
    if table.seats.filter(user=user).exists():
        return
    own = Player.objects.filter(club=table.club_id, user=user, merged_into=None).first()
    OnlineSeat.objects.filter(pk=seat.pk, user=None).update(user=user, player=own)
    orders_keep(seat=seat, user=user)
    turns_set_anew(user=user)
    table_changed(table)


@transaction.atomic
def automatic_sit(*, table: OnlineTable, strength: str) -> OnlineSeat:
    """Let an automatic player sit down. Raises `Refused`: `table_started`, `table_full`."""
    seats = _lobby(table)
    seat = _sit(table, seats, name=_automatic_name(table, seats), automatic=strength)
    table_changed(table)
    return seat


@transaction.atomic
def seat_leave(*, table: OnlineTable, number: int) -> None:
    """Leave a seat before the game begins; those behind it move up. The host's seat stays. Raises `Refused`
    (`table_started`)."""
    for seat in _lobby(table):
        if seat.number == number and number > 0:
            seat.delete()
        elif seat.number > number > 0:
            OnlineSeat.objects.filter(pk=seat.pk).update(number=seat.number - 1)
    table_changed(table)


@transaction.atomic
def table_start(*, table: OnlineTable) -> OnlineTable:
    """Begin the game: from now on seats, rules and seeds are fixed. Twice is once. Raises `Refused`
    (`too_few_seats`)."""
    table = OnlineTable.objects.select_for_update(of=("self",)).select_related("club").get(pk=table.pk)
    if table.status != OnlineTable.Status.LOBBY:
        return table
    seats = seats_of(table)
    if len(seats) < 2:
        raise Refused(Illegal("too_few_seats", say("two players are needed at least")))
    table.open_game = online_game_open(
        record=_header(table, seats),
        source=table.club.source,
        commitment=table.commitment,
        seeds=[bytes(seat.seed) for seat in seats],
    )
    OnlineSeat.objects.filter(table=table).update(bank=table.bank_seconds)
    table.status = OnlineTable.Status.PLAYING
    table.save(update_fields=["open_game", "status"])
    table_changed(table)
    game_go_on(table, OpenSheet.objects.select_related("open_game").get(open_game=table.open_game), seats)
    return table


def _lobby(table: OnlineTable) -> list[OnlineSeat]:
    """Hold a table that hasn't begun; its seats. Raises `Refused` (`table_started`)."""
    held = OnlineTable.objects.select_for_update().get(pk=table.pk)
    if held.status != OnlineTable.Status.LOBBY:
        raise Refused(Illegal("table_started", say("the game has begun")))
    return seats_of(held)


def _sit(
    table: OnlineTable,
    seats: Sequence[OnlineSeat],
    *,
    name: str,
    user: User | None = None,
    player_id: int | None = None,
    digest: str = "",
    automatic: str = "",
    seed: bytes = b"",
) -> OnlineSeat:
    """Give somebody the next seat. A seat that gives no seed of its own gets one."""
    if len(seats) >= table.most_seats:
        raise Refused(Illegal("table_full", say("all seats are taken")))
    name = name_tidied(name)
    if not name or handle_fault(name) is not None or len(name) > NAME_LENGTH:
        raise Refused(Illegal("bad_name", say("choose a name that everybody can read"), path="name"))
    if any(seat.name.casefold() == name.casefold() for seat in seats):
        raise Refused(
            Illegal("name_taken", say("somebody at this table has this name: choose another one"), path="name")
        )
    if user is not None and player_id is None:
        own = Player.objects.filter(club=table.club_id, user=user, merged_into=None).first()
        player_id = own.pk if own else None
    if player_id is None and Handle.objects.filter(club=table.club_id, handle__iexact=name).exists():
        raise Refused(Illegal("name_taken", say("a player of the club has this name: choose another one"), path="name"))
    return OnlineSeat.objects.create(
        table=table,
        number=len(seats),
        name=name,
        user=user,
        player_id=player_id,
        key_digest=digest,
        automatic=automatic,
        seed=seed[:SEED] or secrets.token_bytes(16),
    )


def _automatic_name(table: OnlineTable, seats: Sequence[OnlineSeat]) -> str:
    """A name for an automatic player that nobody at the table or in the club has."""
    handles = Handle.objects.filter(club=table.club_id, handle__isnull=False).values_list("handle", flat=True)
    taken = {str(name).casefold() for name in [*handles, *[seat.name for seat in seats]]}
    names = (f"{name} {number}" if number else name for number in count() for name in AUTOMATIC_NAMES)
    return next(name for name in names if name.casefold() not in taken)


def _name_of(club: Club, user: User) -> str:
    """The name of an account at a table: its player's handle in the club, else its own."""
    own = Player.objects.filter(club=club, user=user, merged_into=None).first()
    return own.handle if own else str(user)


def _header(table: OnlineTable, seats: Sequence[OnlineSeat]) -> Record:
    """The record of a game that hasn't begun."""
    record = read(
        canonical_json(
            {
                "v": VERSION,
                "id": f"online-{table.public_id}",
                "game": Kind.BLUFF.value,
                "rules": table.rules,
                "seats": [seat.name for seat in seats],
                "opener": 0,
                "played_at": timezone.now().replace(microsecond=0).isoformat(),
                "rounds": [],
            }
        )
    )
    if isinstance(record, Illegal):
        raise Refused(record)
    return record
