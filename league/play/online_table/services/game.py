"""The game at an online table: acting, playing on without a seat, and sealing the game that is over.

An act locks the sheet of its game and nothing else. Automatic players act in the same transaction, so an act never
waits for a job.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from uuid import UUID, uuid4

from django.db import transaction
from django.utils import timezone

from engine.dice.dealer import Dealer
from engine.illegal import Illegal, Refused
from engine.messages import say
from engine.record.check import replay
from engine.sheet.entry import OnlineAct, SheetEntry
from engine.sheet.online import OnlineSheet
from games.models import OpenSheet
from games.queries.online_game import online_game
from games.services.game import game_seal
from games.services.online_game import (
    DEALER,
    Acted,
    automatic_act,
    online_act,
    proven_record,
)
from games.services.open_game import Writer, sheet_seal
from league.core.log.services import club_journal
from league.play.online_table.models import OnlineSeat, OnlineTable
from league.play.online_table.queries import deadline_of, seats_of
from league.play.online_table.services.automatic import automatic_entry
from league.play.standing_order.services import order_act, orders_end, raise_order_end
from league.play.turn.queries import turn_held
from league.play.turn.services import turn_forget, turn_write
from league.standings.ranked_game.actions import GameAction


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
        raise_order_end(seat=seat)
        _bank_use(table, seat, acted.waited)
        game_go_on(table, acted.row, seats_of(table))
    return acted


@transaction.atomic
def seat_time_up(*, table: OnlineTable, by: OnlineSeat) -> Acted:
    """Play on without the seat whose time is up, as another seat asks; where it is played turn by turn a job does.

    Raises `Refused` (`time_left`, `not_started`).
    """
    if table.open_game is None:
        raise Refused(Illegal("not_started", say("the game hasn't begun")))
    OpenSheet.objects.select_for_update(no_key=True).get(open_game=table.open_game)
    row, sheet = online_game(table.open_game.pk)
    seats = seats_of(table)
    turn = sheet.round.turn
    is_up = not table.is_turn_by_turn and timezone.now() >= deadline_of(table, row, seats[turn].bank)
    if sheet.over or turn == by.number or not is_up:
        raise Refused(Illegal("time_left", say("there is time left")))
    return _time_out(table, row, seats, turn)


@transaction.atomic
def turn_end(*, table_id: int) -> bool:
    """End the turn at a table, given by row id, whose time is over; False: there is none any more. Ruling B17.

    The reminder was given before. What is written is the entry of the sheet, so twice or late is once.
    """
    table = OnlineTable.objects.select_related("club", "open_game").get(pk=table_id)
    if table.open_game is None:
        return False
    OpenSheet.objects.select_for_update(no_key=True).get(open_game=table.open_game)
    row, sheet = online_game(table.open_game.pk)
    turn = turn_held(table.pk)
    if turn is None or sheet.over or turn.length != row.length:
        return False
    if turn.reminded_at is None or timezone.now() < turn.ends_at:
        return False
    _time_out(table, row, seats_of(table), sheet.round.turn)
    return True


def _time_out(table: OnlineTable, row: OpenSheet, seats: Sequence[OnlineSeat], turn: int) -> Acted:
    """Play on without the seat whose turn it is, at a table whose sheet is held."""
    assert table.open_game is not None
    acted = online_act(
        open_game=table.open_game.public_id,
        length=row.length,
        act="timeout",
        seat=turn,
        writer=DEALER,
        key=uuid4(),
    )
    game_go_on(table, acted.row, seats)
    return acted


def game_go_on(table: OnlineTable, row: OpenSheet, seats: Sequence[OnlineSeat]) -> None:
    """Do what follows an act: automatic players and standing orders act until a person's turn comes, whose clock begins
    then; a game that is over is sealed."""
    choose = partial(_choice, seats)
    while acted := automatic_act(open_game=row.open_game.public_id, choose=choose):
        row = acted.row
    if row.over:
        _finish(table, row)
    elif table.is_turn_by_turn:
        sheet = online_game(row.open_game_id).sheet
        turn_write(table=table, row=row, seat=seats[sheet.round.turn])


def _choice(seats: Sequence[OnlineSeat], sheet: OnlineSheet, dealer: Dealer) -> tuple[Writer, SheetEntry] | None:
    """What the automatic player whose turn it is does, which sees its own cup alone, or the standing order of a person.
    None: a person acts."""
    seat = seats[sheet.round.turn]
    if seat.automatic:
        return Writer(automatic=seat.automatic), automatic_entry(seat.automatic, sheet, dealer)
    entry = order_act(seat=seat, sheet=sheet)
    return None if entry is None else (Writer(seat=seat.number), entry)


def _bank_use(table: OnlineTable, seat: OnlineSeat, waited: float) -> None:
    """Take what a seat thought longer than the time of a move from its bank."""
    if table.is_turn_by_turn:
        return
    late = round(waited) - table.move_seconds
    if late > 0 and seat.bank:
        OnlineSeat.objects.filter(pk=seat.pk).update(bank=max(0, seat.bank - late))


def _finish(table: OnlineTable, row: OpenSheet) -> None:
    """Seal the game that is over, with the proof of its dice. Twice is once."""
    record = proven_record(row)
    with club_journal(table.club_id) as journal:
        sealed = game_seal(record=record, verdict=replay(record), source=table.club.source, entered_at=journal.at)
        if not sealed.created:
            return
        turn_forget(table=table)
        orders_end(table=table)
        sheet_seal(sheet=row, game=sealed.game)
        table.game = sealed.game
        table.status = OnlineTable.Status.OVER
        table.save(update_fields=["game", "status"])
        sheet = {"open_game": row.open_game.public_id, "length": row.length, "link": bytes(row.link).hex()}
        payload = {"head": sealed.head.hex(), "sheet": sheet, "online_table": table.public_id}
        journal.add(GameAction.SEALED, sealed.game.public_id, payload)
