"""The lobby of an online table: opening a table, sitting down, and beginning the game."""

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
from league.play.turn.services import turns_reschedule
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
    """Open a table of a club. The account that opens it gets the first seat.

    `settings`: fields of `OnlineTable`. `season`: the season in which the game counts, None for a
    friendly game. `seed`: the seat's contribution to the dice. Raise `ValidationError` with
    messages by field, and `Refused`: `players_only` if the game counts and the account has no
    player in the club, `people_only` if a program opens a table at which programs aren't welcome.
    """
    with club_journal(club.pk, Actor(user.pk)) as journal:
        table = OnlineTable(
            club=club, season=season, rules=dict(rules), commitment=secret_make(), **settings
        )
        table.full_clean(exclude=["public_id"])
        table.save()
        _seat_create(table, [], name=_handle_or_name(club, user), user=user, seed=seed)
        opening_log(journal, table, season=season.public_id if season else None)
    return table


@transaction.atomic
def rematch(*, table: OnlineTable, seat: OnlineSeat) -> OnlineTable:
    """Open a rematch of a table for the same players, with this seat as the host. Idempotent.

    Raise `Refused` (`not_over`).
    """
    # First the lock alone: the joined rows mustn't be locked.
    OnlineTable.objects.select_for_update().get(pk=table.pk)
    table = OnlineTable.objects.select_related("club", "season").get(pk=table.pk)
    again = OnlineTable.objects.filter(rematch_of=table).first()
    if again is not None:
        return again
    if table.status != OnlineTable.Status.OVER or table.stage_table_id is not None:
        raise Refused(Illegal("not_over", say("the game isn't over")))

    settings = {name: getattr(table, name) for name in SETTINGS}
    again = OnlineTable.objects.create(
        club=table.club,
        season=table.season,
        kind=table.kind,
        rules=table.rules,
        commitment=secret_make(),
        rematch_of=table,
        **settings,
    )
    with club_journal(table.club_id, Actor(seat.user_id)) as journal:
        season = table.season.public_id if table.season else None
        opening_log(journal, again, season=season, rematch_of=table.public_id)

    others = [other for other in seats_of(table) if other.pk != seat.pk]
    _seats_copy(again, [seat, *others])
    table_changed(table)
    return again


def _seats_copy(table: OnlineTable, former_seats: Sequence[OnlineSeat]) -> None:
    seats: list[OnlineSeat] = []
    for former in former_seats:
        seat = _seat_create(
            table,
            seats,
            name=former.name,
            user=former.user,
            player_id=former.player_id,
            digest=former.key_digest,
            automatic=former.automatic,
        )
        seats.append(seat)


@transaction.atomic
def seat_take(
    *, table: OnlineTable, user: User | None, name: str, seed: bytes = b""
) -> tuple[OnlineSeat, str]:
    """Sit down at a table, as an account or as a guest with a name. Return the seat, and the key
    that a guest's browser keeps.

    An account that already sits there keeps its seat. Raise `Refused`: `table_started`,
    `table_full`, `bad_name`, `name_taken`, `players_only`, `people_only`.
    """
    seats = _lock_and_read_lobby(table)
    if user is None:
        key = new_token()
        seat = _seat_create(table, seats, name=name, digest=digest_of(key), seed=seed)
        table_changed(table)
        return seat, key

    own = next((seat for seat in seats if seat.user_id == user.pk), None)
    if own is not None:
        return own, ""
    seat = _seat_create(table, seats, name=_handle_or_name(table.club, user), user=user, seed=seed)
    table_changed(table)
    return seat, ""


@transaction.atomic
def seat_keep(*, table: OnlineTable, seat: OnlineSeat, user: User) -> None:
    """Give a guest's seat to an account, and to its player in the club, so that it is found on each
    device.

    An account that already sits there keeps the seat it has. Idempotent. Raise `Refused`
    (`people_only`).
    """
    if table.seats.filter(user=user).exists():
        return
    is_program = _program_lock(table, user)
    own = player_of_account(table.club_id, user)
    OnlineSeat.objects.filter(pk=seat.pk, user=None).update(
        user=user, player=own, is_program=is_program
    )
    orders_keep(seat=seat, user=user)
    turns_reschedule(user=user)
    table_changed(table)


@transaction.atomic
def automatic_sit(*, table: OnlineTable, strength: str) -> OnlineSeat:
    """Let an automatic player sit down. Raise `Refused`: `table_started`, `table_full`,
    `players_only`.
    """
    seats = _lock_and_read_lobby(table)
    if table.is_counted:
        raise Refused(
            Illegal("players_only", say("this game counts: automatic players can't sit here"))
        )
    seat = _seat_create(table, seats, name=_free_automatic_name(table, seats), automatic=strength)
    table_changed(table)
    return seat


@transaction.atomic
def seat_leave(*, table: OnlineTable, number: int) -> None:
    """Remove a seat before the game begins; the seats behind it move up. The host's seat stays.

    Raise `Refused` (`table_started`).
    """
    for seat in _lock_and_read_lobby(table):
        if seat.number == number and number > 0:
            seat.delete()
        elif seat.number > number > 0:
            OnlineSeat.objects.filter(pk=seat.pk).update(number=seat.number - 1)
    table_changed(table)


@transaction.atomic
def table_start(*, table: OnlineTable) -> OnlineTable:
    """Begin the game; from now on seats, rules and seeds are fixed. Idempotent. Raise `Refused`
    (`too_few_seats`).
    """
    # First the lock alone: the joined rows mustn't be locked.
    OnlineTable.objects.select_for_update().get(pk=table.pk)
    table = OnlineTable.objects.select_related("club", "season__club").get(pk=table.pk)
    if table.status != OnlineTable.Status.LOBBY:
        return table
    seats = seats_of(table)
    if len(seats) < 2:
        raise Refused(Illegal("too_few_seats", say("at least two players are needed")))
    game_begin(table, seats)
    return table


def game_begin(table: OnlineTable, seats: Sequence[OnlineSeat]) -> None:
    """Begin the game of a table that the caller's transaction has locked."""
    open_game = online_game_open(
        record=_header(table, seats),
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


def _lock_and_read_lobby(table: OnlineTable) -> list[OnlineSeat]:
    locked = OnlineTable.objects.select_for_update().get(pk=table.pk)
    if locked.status != OnlineTable.Status.LOBBY:
        raise Refused(Illegal("table_started", say("the game has begun")))
    return seats_of(locked)


def _seat_create(
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
    """Add a seat behind the present `seats`.

    `digest`: of a guest's key; `automatic`: the strength of an automatic player."""
    if len(seats) >= table.most_seats:
        raise Refused(Illegal("table_full", say("all seats are taken")))
    is_program = user is not None and _program_lock(table, user)
    if table.is_for_players and not automatic:
        own_player = player_with_account(table.club, user)
        player_id = own_player.pk
        name = own_player.handle

    name = name_tidied(name)
    _refuse_bad_name(name, seats)
    if user is not None and player_id is None:
        own = player_of_account(table.club_id, user)
        player_id = own.pk if own else None
    if player_id is None:
        _refuse_name_of_player(name, table)

    return OnlineSeat.objects.create(
        table=table,
        number=len(seats),
        name=name,
        user=user,
        player_id=player_id,
        key_digest=digest,
        automatic=automatic,
        is_program=is_program,
        # A seat that brings no seed of its own gets a random one.
        seed=seed[:SEED] or secrets.token_bytes(16),
    )


def _refuse_bad_name(name: str, seats: Sequence[OnlineSeat]) -> None:
    if not name or handle_fault(name) is not None or len(name) > NAME_LENGTH:
        message = say("choose a name that everybody can read")
        raise Refused(Illegal("bad_name", message, path="name"))
    if any(seat.name.casefold() == name.casefold() for seat in seats):
        message = say("somebody at this table already has this name: choose another one")
        raise Refused(Illegal("name_taken", message, path="name"))


def _refuse_name_of_player(name: str, table: OnlineTable) -> None:
    if Handle.objects.filter(club=table.club_id, handle__iexact=name).exists():
        message = say("a player of the club already has this name: choose another one")
        raise Refused(Illegal("name_taken", message, path="name"))


def _program_lock(table: OnlineTable, user: User) -> bool:
    accounts = User.objects.select_for_update(no_key=True)
    is_program = accounts.values_list("is_program", flat=True).get(pk=user.pk)
    if is_program and not table.programs_welcome:
        message = say("this table is for people only: programs aren’t welcome here")
        raise Refused(Illegal("people_only", message))
    return is_program


def _free_automatic_name(table: OnlineTable, seats: Sequence[OnlineSeat]) -> str:
    seated = {seat.name.casefold() for seat in seats}
    for number in count():
        names = [f"{name} {number}" if number else name for name in AUTOMATIC_NAMES]
        players = players_of_handles(table.club_id, names)
        for name, player in zip(names, players, strict=True):
            if player is None and name.casefold() not in seated:
                return name
    raise AssertionError("numbers never end")


def _handle_or_name(club: Club, user: User) -> str:
    own = player_of_account(club.pk, user)
    return own.handle if own else str(user)


def _header(table: OnlineTable, seats: Sequence[OnlineSeat]) -> Record:
    if table.is_counted:
        return counted_header(table, seats)
    return _friendly_header(table, seats)


def _friendly_header(table: OnlineTable, seats: Sequence[OnlineSeat]) -> Record:
    header = {
        "v": VERSION,
        "id": f"online-{table.public_id}",
        "game": table.kind,
        "rules": table.rules,
        "seats": [seat.name for seat in seats],
        "opener": 0,
        "played_at": timezone.now().replace(microsecond=0).isoformat(),
        KINDS[table.kind].units: [],
    }
    record = read(canonical_json(header))
    if isinstance(record, Illegal):
        raise Refused(record)
    return record
