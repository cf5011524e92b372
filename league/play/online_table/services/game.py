"""The game at an online table: acting, playing on without a seat, and sealing the finished game.

An act locks the sheet of its game and nothing else. Automatic players act in the same transaction,
so an act never waits for a job.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.utils import timezone

from engine.dice.dealer import Dealer
from engine.illegal import Illegal, Refused
from engine.messages import say
from engine.record.check import replay
from engine.record.record import Record
from engine.sheet.dealt import DealtSheet
from engine.sheet.entry import HiddenActs, OnlineAct, SheetEntry
from games.models import Game, OpenSheet, SealedSheet
from games.queries.online_game import online_game, waiting_since
from games.services.game import game_seal
from games.services.online_game import (
    DEALER,
    NOTHING_MORE,
    Acted,
    automatic_act,
    finished_record,
    online_act,
)
from games.services.open_game import Writer, sheet_seal
from league.core.log.services import club_journal
from league.play.game_end.services import end_see, ends_write
from league.play.online_table.models import OnlineSeat, OnlineTable
from league.play.online_table.queries import (
    EVENT_TABLE,
    counted_tables_waiting,
    seats_of,
    table_deadline,
    turn_ends_at,
)
from league.play.online_table.services.automatic import AUTOMATIC_ACTS
from league.play.online_table.services.counted import counted_seal
from league.play.standing_order.queries import have_orders
from league.play.standing_order.services import order_act, orders_end, raise_order_end
from league.play.turn.queries import turn_held
from league.play.turn.services import turns_forget, turns_write
from league.sheets.sheet.domain.open_game import sheet_head
from league.standings.ranked_game.actions import GameAction


@transaction.atomic
def table_act(
    *,
    table: OnlineTable,
    seat: OnlineSeat,
    act: OnlineAct,
    value: Mapping[str, Any] = NOTHING_MORE,
    length: int | None,
    key: UUID,
    seats: Sequence[OnlineSeat] | None = None,
) -> Acted:
    """Let a seat act, then the automatic players. Return the table as it is afterwards.

    `value`: the fields of the act besides its seat. `length`: how many entries the seat had seen,
    None if that doesn't matter. `key`: repeating a key changes nothing. `seats`: the seats of the
    table, if the caller has read them since the game began. Raise `Overtaken`, and `Refused` as
    `online_act` does, or with `not_started` or `paused`.
    """
    if table.open_game is None:
        raise Refused(Illegal("not_started", say("the game hasn't begun")))
    if table.paused_at is not None:
        raise Refused(
            Illegal("paused", say("the game is paused: nobody can act, and the clocks are stopped"))
        )
    acted = online_act(
        open_game=table.open_game.public_id,
        length=length,
        act=act,
        seat=seat.number,
        value=value,
        writer=Writer(seat=seat.number),
        key=key,
    )
    if not acted.created:
        return acted

    raise_order_end(seat=seat)
    if not acted.asked_all:
        _bank_use(table, seat, acted.waited)
    _pause_reset(table)

    if seats is None:
        seats = seats_of(table)
    row, sheet = game_go_on(table, acted.row, acted.sheet, seats)
    if row.over:
        end_see(seat=seat)
    return acted._replace(row=row, sheet=sheet)


@transaction.atomic
def seat_time_up(*, table: OnlineTable, by: OnlineSeat | None = None) -> Acted:
    """Play on without the seats whose time is up. A seat whose move it is drops out (rulings B17,
    K15); a seat that is asked whether it doubts an announcement counts as believing it (K16).

    `by`: the seat that asks for this; None if the service does so itself in a counted game.
    Turn-by-turn tables use `turn_end` instead. Raise `Refused` (`time_left`, `not_started`).
    """
    if table.open_game is None:
        raise Refused(Illegal("not_started", say("the game hasn't begun")))
    # A lock: the row itself isn't needed.
    OpenSheet.objects.select_for_update(no_key=True).get(open_game=table.open_game)
    game = online_game(table.open_game.pk)
    seats = seats_of(table)
    late_seats = game.sheet.to_act

    is_own_turn = by is not None and by.number in late_seats
    has_no_clock = table.is_turn_by_turn or table.paused_at is not None
    may_end = bool(late_seats) and not is_own_turn and not has_no_clock
    if not may_end or timezone.now() < turn_ends_at(table, table_deadline(table, game, seats)):
        raise Refused(Illegal("time_left", say("there is time left")))

    return seats_time_out(table, seats, late_seats)


@transaction.atomic
def turn_end(*, seat_id: int) -> bool:
    """End the turn of a seat at a turn-by-turn table, given by row id, if its time is over and its
    player was reminded. Return False if there is no such turn. Idempotent.

    A seat whose move it is drops out (rulings B17, K15); a seat that is asked whether it doubts an
    announcement counts as believing it (K16).
    """
    tables = OnlineTable.objects.select_related("club", "open_game", "season", *EVENT_TABLE)
    table = tables.filter(seats=seat_id).first()
    if table is None or table.open_game is None:
        return False
    # A lock, so that the seat can't act meanwhile: the row itself isn't needed.
    OpenSheet.objects.select_for_update(no_key=True).get(open_game=table.open_game)
    turn = turn_held(seat_id)
    if turn is None or turn.reminded_at is None or timezone.now() < turn.ends_at:
        return False
    seats_time_out(table, seats_of(table), [turn.seat.number])
    return True


def seats_time_out(
    table: OnlineTable, seats: Sequence[OnlineSeat], late_seats: Sequence[int]
) -> Acted:
    """Enter that the time of some seats, at least one, is up, and play on. The caller holds the
    lock of the sheet. Ruling B17: a seat whose time is up takes no further part.

    `seats`: all seats of the table; `late_seats`: the numbers of those whose time is up.
    """
    assert table.open_game is not None
    for seat in late_seats:
        acted = online_act(
            open_game=table.open_game.public_id,
            length=None,
            act="timeout",
            seat=seat,
            writer=DEALER,
            key=uuid4(),
        )
    _pause_reset(table)
    game_go_on(table, acted.row, acted.sheet, seats)
    return acted


def counted_turns_end() -> int:
    """End the turns of live counted games whose time and grace period are over; return how many.
    Idempotent.
    """
    ended = 0
    tables = counted_tables_waiting(timezone.now()).select_related(
        "open_game", "season", "club", *EVENT_TABLE
    )
    for table in tables:
        with suppress(Refused):
            seat_time_up(table=table)
            ended += 1
    return ended


def _pause_reset(table: OnlineTable) -> None:
    if table.paused_seconds:
        OnlineTable.objects.filter(pk=table.pk).update(paused_seconds=0)


def game_go_on(
    table: OnlineTable, row: OpenSheet, sheet: DealtSheet, seats: Sequence[OnlineSeat]
) -> tuple[OpenSheet, DealtSheet]:
    """Let automatic players and standing orders act until it is a person's turn. Return the sheet
    as it is then.

    At a turn-by-turn table dice are rolled automatically where there is no choice, and the clocks
    of the people to act start. A finished game is sealed.
    """
    choose = partial(_next_act_without_person, table, seats)
    while not sheet.over and _goes_on_without_person(table, seats, sheet):
        acted = automatic_act(open_game=row.open_game.public_id, choose=choose)
        if acted is None:
            break
        row = acted.row
        sheet = acted.sheet
    if row.over:
        _game_finish(table, row)
    elif table.is_turn_by_turn:
        waiting = [seats[number] for number in sheet.to_act]
        turns_write(table=table, row=row, seats=waiting, since=waiting_since(row, sheet))
    return row, sheet


def _goes_on_without_person(
    table: OnlineTable, seats: Sequence[OnlineSeat], sheet: DealtSheet
) -> bool:
    waiting = [seats[number] for number in sheet.to_act]
    if any(seat.automatic for seat in waiting) or _forced_roll(table, sheet) is not None:
        return True
    return have_orders(waiting)


def _forced_roll(table: OnlineTable, sheet: DealtSheet) -> SheetEntry | None:
    return sheet.forced_act if table.is_turn_by_turn else None


def _next_act_without_person(
    table: OnlineTable,
    seats: Sequence[OnlineSeat],
    sheet: DealtSheet,
    dealer: Dealer,
    hidden: HiddenActs,
) -> tuple[Writer, SheetEntry] | None:
    waiting = [seats[number] for number in sheet.to_act]
    for seat in waiting:
        if seat.automatic:
            choose = AUTOMATIC_ACTS[sheet.record.kind]
            # It is given the dealer, but must use only the dice that its own seat sees.
            entry = choose(seat.automatic, seat.number, sheet, dealer, hidden)
            return Writer(automatic=seat.automatic), entry
    roll = _forced_roll(table, sheet)
    if roll is not None:
        return DEALER, roll
    return order_act(seats=waiting, sheet=sheet)


def _bank_use(table: OnlineTable, seat: OnlineSeat, waited: float) -> None:
    """Take from the bank of a live table's seat the seconds by which its move was late. `waited`:
    the seconds that the table waited for it, pauses included.
    """
    if table.is_turn_by_turn:
        return
    seconds_late = round(waited) - table.paused_seconds - table.move_seconds
    if seconds_late > 0 and seat.bank:
        OnlineSeat.objects.filter(pk=seat.pk).update(bank=max(0, seat.bank - seconds_late))


def _game_finish(table: OnlineTable, row: OpenSheet) -> None:
    """Seal the finished game, with the proof of its dice. Idempotent.

    A game that was meant to count but can't be counted is sealed as a friendly one, and the table
    stores the reason.
    """
    record = finished_record(row)
    game = _game_seal(table, row, record)
    turns_forget(table=table)
    if table.is_turn_by_turn:
        ends_write(seats=seats_of(table))
    orders_end(table=table)
    if not SealedSheet.objects.filter(game=game).exists():
        sheet_seal(sheet=row, game=game)
    table.game = game
    table.status = OnlineTable.Status.OVER
    table.save(update_fields=["game", "status", "uncounted"])


def _game_seal(table: OnlineTable, row: OpenSheet, record: Record) -> Game:
    """Seal the game as a counted one if it is meant to count and can; else as a friendly one, and
    set the reason on `table`, which the caller saves.
    """
    if not table.is_counted:
        return _friendly_seal(table, row, record)
    try:
        with transaction.atomic():
            return counted_seal(table=table, row=row, record=record)
    except Refused as refused:
        table.uncounted = refused.illegal.message.as_json()
        return _friendly_seal(table, row, record)


def _friendly_seal(table: OnlineTable, row: OpenSheet, record: Record) -> Game:
    with club_journal(table.club_id) as journal:
        sealed = game_seal(
            record=record, verdict=replay(record), source=table.club.source, entered_at=journal.at
        )
        if sealed.created:
            sheet = sheet_head(row.open_game.public_id, row)
            payload = {"head": sealed.head.hex(), "sheet": sheet, "online_table": table.public_id}
            journal.add(GameAction.SEALED, sealed.game.public_id, payload)
    return sealed.game
