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
from engine.record.kinds import KINDS
from engine.record.record import VERSION, Record, read
from games.queries.online_game import online_game
from games.services.online_game import online_game_open, secret_make
from league.core.account.models import User
from league.core.club.models import Club
from league.core.frame.letter_link import digest_of, new_token
from league.core.frame.names import name_tidied
from league.core.log.services import Actor, club_journal
from league.core.player.models import Handle
from league.core.player.queries.player import player_of_account, players_of_handles
from league.play.online_table.models import NAME_LENGTH, SEED, SETTINGS, OnlineSeat, OnlineTable
from league.play.online_table.queries import seats_of
from league.play.online_table.services.automatic import AUTOMATIC_NAMES
from league.play.online_table.services.counted import (
    counted_header,
    counted_place,
    player_with_account,
)
from league.play.online_table.services.game import game_go_on
from league.play.online_table.services.table import opening_log, table_changed
from league.play.standing_order.services import orders_keep
from league.play.turn.services import turns_set_anew
from league.standings.season.models import Season


def online_table_open(
    *,
    club: Club,
    user: User,
    rules: Mapping[str, Any],
    settings: Mapping[str, Any],
    season: Season | None = None,
    seed: bytes = b"",
) -> OnlineTable:
    """Open a table of a club, at which the account that opens it sits first. `settings`: fields of
    `OnlineTable`.

    `season`: its game counts there; None: it is friendly. `seed`: the seat's own part of the dice.
    Raises `ValidationError` by field, and `Refused`: `players_only` where the account has no player
    that could be counted, `people_only` for a program that opens a table at which programs aren't
    welcome."""
    with club_journal(club.pk, Actor(user.pk)) as journal:
        table = OnlineTable(
            club=club, season=season, rules=dict(rules), commitment=secret_make(), **settings
        )
        table.full_clean(exclude=["public_id"])
        table.save()
        _sit(table, [], name=_name_of(club, user), user=user, seed=seed)
        opening_log(journal, table, season=season.public_id if season else None)
    return table


@transaction.atomic
def rematch(*, table: OnlineTable, seat: OnlineSeat) -> OnlineTable:
    """Open the same table once more, for the same players; twice is once. Raises `Refused`
    (`not_over`)."""
    OnlineTable.objects.select_for_update().get(pk=table.pk)
    table = OnlineTable.objects.select_related("club", "season").get(pk=table.pk)
    again = OnlineTable.objects.filter(rematch_of=table).first()
    if again is not None:
        return again
    if table.status != OnlineTable.Status.OVER or table.stage_table_id is not None:
        raise Refused(Illegal("not_over", say("the game isn't over")))
    again = OnlineTable.objects.create(
        club=table.club,
        season=table.season,
        kind=table.kind,
        rules=table.rules,
        commitment=secret_make(),
        rematch_of=table,
        **{name: getattr(table, name) for name in SETTINGS},
    )
    with club_journal(table.club_id, Actor(seat.user_id)) as journal:
        season = table.season.public_id if table.season else None
        opening_log(journal, again, season=season, rematch_of=table.public_id)
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
def seat_take(
    *, table: OnlineTable, user: User | None, name: str, seed: bytes = b""
) -> tuple[OnlineSeat, str]:
    """Sit down at a table, as an account or as a guest with a name: the seat, and the key that a
    guest's browser keeps.

    An account that sits there already keeps its seat. Raises `Refused`: `table_started`,
    `table_full`, `bad_name`, `name_taken`, `players_only`, `people_only`."""
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
    """Let a guest's seat be that of an account, which then finds it on each device, and of its
    player in the club.

    An account that sits there already keeps the seat it has. Twice is once. Raises `Refused`
    (`people_only`)."""
    if table.seats.filter(user=user).exists():
        return
    is_program = _is_program(table, user)
    own = player_of_account(table.club_id, user)
    OnlineSeat.objects.filter(pk=seat.pk, user=None).update(
        user=user, player=own, is_program=is_program
    )
    orders_keep(seat=seat, user=user)
    turns_set_anew(user=user)
    table_changed(table)


@transaction.atomic
def automatic_sit(*, table: OnlineTable, strength: str) -> OnlineSeat:
    """Let an automatic player sit down. Raises `Refused`: `table_started`, `table_full`,
    `players_only`."""
    seats = _lobby(table)
    if table.is_counted:
        raise Refused(
            Illegal("players_only", say("this game counts: no automatic player sits here"))
        )
    seat = _sit(table, seats, name=_automatic_name(table, seats), automatic=strength)
    table_changed(table)
    return seat


@transaction.atomic
def seat_leave(*, table: OnlineTable, number: int) -> None:
    """Leave a seat before the game begins; those behind it move up. The host's seat stays. Raises
    `Refused` (`table_started`)."""
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
    OnlineTable.objects.select_for_update().get(pk=table.pk)
    table = OnlineTable.objects.select_related("club", "season__club").get(pk=table.pk)
    if table.status != OnlineTable.Status.LOBBY:
        return table
    seats = seats_of(table)
    if len(seats) < 2:
        raise Refused(Illegal("too_few_seats", say("two players are needed at least")))
    game_begin(table, seats)
    return table


def game_begin(table: OnlineTable, seats: Sequence[OnlineSeat]) -> None:
    """Begin the game of a table that is held, in the caller's transaction."""
    header = counted_header(table, seats) if table.is_counted else _header(table, seats)
    open_game = online_game_open(
        record=header,
        source=table.club.source,
        commitment=table.commitment,
        seeds=[bytes(seat.seed) for seat in seats],
    )
    if table.is_counted:
        counted_place(table=table, open_game=open_game)
    OnlineSeat.objects.filter(table=table).update(bank=table.bank_seconds)
    table.open_game = open_game
    table.status = OnlineTable.Status.PLAYING
    table.save(update_fields=["open_game", "status"])
    table_changed(table)
    row, sheet = online_game(open_game.pk)
    game_go_on(table, row, sheet, seats)


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
    is_program = user is not None and _is_program(table, user)
    if table.is_for_players and not automatic:
        own_player = player_with_account(table.club, user)
        player_id = own_player.pk
        name = own_player.handle
    name = name_tidied(name)
    if not name or handle_fault(name) is not None or len(name) > NAME_LENGTH:
        raise Refused(
            Illegal("bad_name", say("choose a name that everybody can read"), path="name")
        )
    if any(seat.name.casefold() == name.casefold() for seat in seats):
        raise Refused(
            Illegal(
                "name_taken",
                say("somebody at this table has this name: choose another one"),
                path="name",
            )
        )
    if user is not None and player_id is None:
        own = player_of_account(table.club_id, user)
        player_id = own.pk if own else None
    if (
        player_id is None
        and Handle.objects.filter(club=table.club_id, handle__iexact=name).exists()
    ):
        raise Refused(
            Illegal(
                "name_taken",
                say("a player of the club has this name: choose another one"),
                path="name",
            )
        )
    return OnlineSeat.objects.create(
        table=table,
        number=len(seats),
        name=name,
        user=user,
        player_id=player_id,
        key_digest=digest,
        automatic=automatic,
        is_program=is_program,
        seed=seed[:SEED] or secrets.token_bytes(16),
    )


def _is_program(table: OnlineTable, user: User) -> bool:
    """Tell whether an account that sits down is a program's, and hold it so. Raises `Refused`
    (`people_only`)."""
    accounts = User.objects.select_for_update(no_key=True)
    is_program = accounts.values_list("is_program", flat=True).get(pk=user.pk)
    if is_program and not table.programs_welcome:
        raise Refused(
            Illegal(
                "people_only", say("this table is for people only: programs aren’t welcome here")
            )
        )
    return is_program


def _automatic_name(table: OnlineTable, seats: Sequence[OnlineSeat]) -> str:
    """Return a name for an automatic player that nobody at the table or in the club has."""
    seated = {seat.name.casefold() for seat in seats}
    for number in count():
        names = [f"{name} {number}" if number else name for name in AUTOMATIC_NAMES]
        players = players_of_handles(table.club_id, names)
        for name, player in zip(names, players, strict=True):
            if player is None and name.casefold() not in seated:
                return name
    raise AssertionError("numbers never end")


def _name_of(club: Club, user: User) -> str:
    """The name of an account at a table: its player's handle in the club, else its own."""
    own = player_of_account(club.pk, user)
    return own.handle if own else str(user)


def _header(table: OnlineTable, seats: Sequence[OnlineSeat]) -> Record:
    """Return the record of a friendly game that hasn't begun."""
    record = read(
        canonical_json(
            {
                "v": VERSION,
                "id": f"online-{table.public_id}",
                "game": table.kind,
                "rules": table.rules,
                "seats": [seat.name for seat in seats],
                "opener": 0,
                "played_at": timezone.now().replace(microsecond=0).isoformat(),
                KINDS[table.kind].units: [],
            }
        )
    )
    if isinstance(record, Illegal):
        raise Refused(record)
    return record
