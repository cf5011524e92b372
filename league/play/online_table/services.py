"""Online tables: opening one, sitting down, playing, and sealing the game that is over.

A move locks the sheet of its game and nothing else. Automatic players act in the same transaction, so that nothing of
a move waits for a job.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import partial
from itertools import count
from typing import Any, Final
from uuid import UUID, uuid4

from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from engine.bluff.hand import sort_hand
from engine.bluff.move import CHALLENGE, LayOut, move_text, parse_move
from engine.dice.dealer import Dealer
from engine.illegal import Illegal, Refused
from engine.messages import say
from engine.players.player import Said
from engine.players.roster import player as roster_player
from engine.players.seat import view_of
from engine.record.canonical import canonical_json
from engine.record.check import replay
from engine.record.handle import handle_fault
from engine.record.record import VERSION, Record, read
from engine.sheet.dealing import deal
from engine.sheet.entry import OnlineAct, SheetEntry
from engine.sheet.online import OnlineSheet
from games.models import Kind, OpenSheet
from games.queries.online_game import online_game
from games.services.game import game_seal
from games.services.online_game import (
    DEALER,
    Acted,
    automatic_act,
    online_act,
    online_game_open,
    proven_record,
    secret_make,
)
from games.services.open_game import CHANNEL, Writer, sheet_seal
from league.core.account.models import User
from league.core.club.models import Club
from league.core.frame.letter_link import digest_of, new_token
from league.core.frame.names import name_tidied
from league.core.log.services import Actor, club_journal
from league.core.player.models import Handle, Player
from league.play.online_table.actions import PlayAction
from league.play.online_table.models import NAME_LENGTH, SEED, OnlineSeat, OnlineTable
from league.play.online_table.queries import deadline_of, seats_of, tables_left
from league.standings.ranked_game.actions import GameAction

STRENGTHS: Final[Mapping[str, tuple[str, float]]] = {
    "easy": ("odds", 0.5),
    "steady": ("odds", 1.0),
    "sharp": ("belief", 1.0),
}
"""The automatic players by their strength: the name in the engine's roster, and how rarely they play at random."""
AUTOMATIC_NAMES: Final = ("Rosa", "Otto", "Mieke", "Hugo", "Wilma", "Bram")
PHRASE_PAUSE: Final = timedelta(seconds=3)
"""A seat says at most one phrase in this time."""
ABANDONED_AFTER: Final = timedelta(hours=2)
"""A table at which nothing has happened for so long is abandoned."""


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
    _changed(table)
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
    _changed(table)
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
    _changed(table)


@transaction.atomic
def automatic_sit(*, table: OnlineTable, strength: str) -> OnlineSeat:
    """Let an automatic player sit down. Raises `Refused`: `table_started`, `table_full`."""
    seats = _lobby(table)
    seat = _sit(table, seats, name=_automatic_name(table, seats), automatic=strength)
    _changed(table)
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
    _changed(table)


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
    _changed(table)
    _go_on(table, OpenSheet.objects.select_related("open_game").get(open_game=table.open_game), seats)
    return table


@transaction.atomic
def table_act(
    *, table: OnlineTable, seat: OnlineSeat, act: OnlineAct, bid: str, length: int | None, key: UUID
) -> Acted:
    """Let a seat bid, challenge or leave; then the automatic players act. The same `key` again changes nothing.

    Raises `Overtaken`, and `Refused` as `online_act` does.
    """
    if table.open_game is None:
        raise Refused(Illegal("not_started", say("the game hasn't begun")))
    acted = online_act(
        open_game=table.open_game.public_id,
        length=length,
        act=act,
        seat=seat.number,
        bid=bid,
        writer=Writer(seat=seat.number),
        key=key,
    )
    if acted.created:
        _bank_use(table, seat, acted.waited)
        _go_on(table, acted.row, seats_of(table))
    return acted


@transaction.atomic
def phrase_say(*, table: OnlineTable, seat: OnlineSeat, phrase: str) -> bool:
    """Let a seat say a phrase; False: it has said one a moment ago, and says nothing."""
    now = timezone.now()
    seats = OnlineSeat.objects.filter(pk=seat.pk).exclude(phrase_at__gt=now - PHRASE_PAUSE)
    if not seats.update(phrase=phrase, phrase_at=now):
        return False
    _changed(table)
    return True


@transaction.atomic
def seat_time_up(*, table: OnlineTable, by: OnlineSeat) -> Acted:
    """Play on without the seat whose time is up, as another seat asks. Raises `Refused` (`time_left`,
    `not_started`)."""
    if table.open_game is None:
        raise Refused(Illegal("not_started", say("the game hasn't begun")))
    OpenSheet.objects.select_for_update(no_key=True).get(open_game=table.open_game)
    row, sheet = online_game(table.open_game.pk)
    seats = seats_of(table)
    turn = sheet.round.turn
    if sheet.over or turn == by.number or timezone.now() < deadline_of(table, row, seats[turn].bank):
        raise Refused(Illegal("time_left", say("there is time left")))
    acted = online_act(
        open_game=table.open_game.public_id,
        length=row.length,
        act="timeout",
        seat=turn,
        writer=DEALER,
        key=uuid4(),
    )
    _go_on(table, acted.row, seats)
    return acted


def online_seats_forget(players: Sequence[Player]) -> None:
    """Forget the names of erased players at online tables; their games keep the pseudonym that every game gets."""
    for player in players:
        OnlineSeat.objects.filter(player=player).update(name=player.pseudonym, user=None, key_digest="")


def tables_end() -> int:
    """End the tables that everybody has left; return how many. Their games stay open, and nothing counts of them."""
    ended = 0
    for table in tables_left(timezone.now(), ABANDONED_AFTER):
        ended += OnlineTable.objects.filter(pk=table.pk, status=table.status).update(
            status=OnlineTable.Status.ABANDONED
        )
        _tell(table)
    return ended


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


def _lobby(table: OnlineTable) -> list[OnlineSeat]:
    """Hold a table that hasn't begun; its seats. Raises `Refused` (`table_started`)."""
    held = OnlineTable.objects.select_for_update().get(pk=table.pk)
    if held.status != OnlineTable.Status.LOBBY:
        raise Refused(Illegal("table_started", say("the game has begun")))
    return seats_of(held)


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


def _go_on(table: OnlineTable, row: OpenSheet, seats: Sequence[OnlineSeat]) -> None:
    """Do what follows an act: automatic players act until a person's turn comes, and a game that is over is sealed."""
    choose = partial(_choice, seats)
    while acted := automatic_act(open_game=row.open_game.public_id, choose=choose):
        row = acted.row
    if row.over:
        _finish(table, row)


def _bank_use(table: OnlineTable, seat: OnlineSeat, waited: float) -> None:
    """Take what a seat thought longer than the time of a move from its bank."""
    late = round(waited) - table.move_seconds
    if late > 0 and seat.bank:
        OnlineSeat.objects.filter(pk=seat.pk).update(bank=max(0, seat.bank - late))


def _choice(seats: Sequence[OnlineSeat], sheet: OnlineSheet, dealer: Dealer) -> tuple[str, SheetEntry] | None:
    """What the automatic player whose turn it is does: it sees its own cup alone. None: a person acts."""
    seat = seats[sheet.round.turn]
    if not seat.automatic:
        return None
    return seat.automatic, automatic_entry(seat.automatic, sheet, dealer)


def automatic_entry(strength: str, sheet: OnlineSheet, dealer: Dealer) -> SheetEntry:
    """The act that an automatic player of this strength chooses at the seat whose turn it is."""
    name, level = STRENGTHS[strength]
    said = [_said(note) for note in sheet.sheet.notes]
    view = view_of(deal(dealer, sheet).played, said)
    move = roster_player(name, secrets.randbits(64), level).choose(view)
    if move == CHALLENGE:
        return SheetEntry("challenge", {"seat": view.seat})
    if isinstance(move, LayOut):
        move = LayOut(move.bid, sort_hand(move.show))
    return SheetEntry("bid", {"seat": view.seat, "bid": move_text(move)})


def _said(note: Mapping[str, Any]) -> Said:
    move = parse_move(note["bid"])
    assert not isinstance(move, Illegal)
    return Said(note["seat"], move.bid, move.show) if isinstance(move, LayOut) else Said(note["seat"], move)


def _finish(table: OnlineTable, row: OpenSheet) -> None:
    """Seal the game that is over, with the proof of its dice. Twice is once."""
    record = proven_record(row)
    with club_journal(table.club_id) as journal:
        sealed = game_seal(record=record, verdict=replay(record), source=table.club.source, entered_at=journal.at)
        if not sealed.created:
            return
        sheet_seal(sheet=row, game=sealed.game)
        table.game = sealed.game
        table.status = OnlineTable.Status.OVER
        table.save(update_fields=["game", "status"])
        sheet = {"open_game": row.open_game.public_id, "length": row.length, "link": bytes(row.link).hex()}
        payload = {"head": sealed.head.hex(), "sheet": sheet, "online_table": table.public_id}
        journal.add(GameAction.SEALED, sealed.game.public_id, payload)


def _changed(table: OnlineTable) -> None:
    """Raise the version of a table, and tell the pages that are open."""
    OnlineTable.objects.filter(pk=table.pk).update(version=F("version") + 1)
    _tell(table)


def _tell(table: OnlineTable) -> None:
    with connection.cursor() as cursor:
        cursor.callproc("pg_notify", [CHANNEL, f"{table.public_id}:0"])
