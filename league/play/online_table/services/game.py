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
from league.standings.ranked_game.actions import GameAction


@transaction.atomic
def table_act(
    *,
    table: OnlineTable,
    seat: OnlineSeat,
    act: OnlineAct,
    bid: str,
    length: int | None,
    key: UUID,
    seats: Sequence[OnlineSeat] | None = None,
) -> Acted:
    """Let a seat bid, challenge or leave; then the automatic players act. The same `key` again changes nothing.

    `seats`: those of the table, if the caller has read them since the game began. Returns the table as it is after the
    automatic players. Raises `Overtaken`, and `Refused` as `online_act` does.
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
    if not acted.created:
        return acted
    _bank_use(table, seat, acted.waited)
    row, sheet = game_go_on(table, acted.row, acted.sheet, seats_of(table) if seats is None else seats)
    return acted._replace(row=row, sheet=sheet)


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
    game_go_on(table, acted.row, acted.sheet, seats)
    return acted


def game_go_on(
    table: OnlineTable, row: OpenSheet, sheet: OnlineSheet, seats: Sequence[OnlineSeat]
) -> tuple[OpenSheet, OnlineSheet]:
    """Do what follows an act: automatic players act until a person's turn comes, and a game that is over is sealed.

    Returns the sheet as it is then."""
    choose = partial(_choice, seats)
    while not sheet.over and seats[sheet.round.turn].automatic:
        acted = automatic_act(open_game=row.open_game.public_id, choose=choose)
        if acted is None:
            break
        row, sheet = acted.row, acted.sheet
    if row.over:
        _finish(table, row)
    return row, sheet


def _choice(seats: Sequence[OnlineSeat], sheet: OnlineSheet, dealer: Dealer) -> tuple[str, SheetEntry] | None:
    """What the automatic player whose turn it is does: it sees its own cup alone. None: a person acts."""
    seat = seats[sheet.round.turn]
    if not seat.automatic:
        return None
    return seat.automatic, automatic_entry(seat.automatic, sheet, dealer)


def _bank_use(table: OnlineTable, seat: OnlineSeat, waited: float) -> None:
    """Take what a seat thought longer than the time of a move from its bank."""
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
        sheet_seal(sheet=row, game=sealed.game)
        table.game = sealed.game
        table.status = OnlineTable.Status.OVER
        table.save(update_fields=["game", "status"])
        sheet = {"open_game": row.open_game.public_id, "length": row.length, "link": bytes(row.link).hex()}
        payload = {"head": sealed.head.hex(), "sheet": sheet, "online_table": table.public_id}
        journal.add(GameAction.SEALED, sealed.game.public_id, payload)
