"""The game at an online table: acting, playing on without a seat, and sealing the game that is over.

An act locks the sheet of its game and nothing else. Automatic players act in the same transaction, so an act never
waits for a job.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.utils import timezone

from engine.dice.dealer import Dealer
from engine.illegal import Illegal, Refused
from engine.messages import say
from engine.record.check import replay
from engine.sheet.dealt import DealtSheet
from engine.sheet.entry import HiddenActs, OnlineAct, SheetEntry
from games.models import OpenSheet
from games.queries.online_game import online_game
from games.services.game import game_seal
from games.services.online_game import (
    DEALER,
    NOTHING_MORE,
    Acted,
    automatic_act,
    online_act,
    proven_record,
)
from games.services.open_game import Writer, sheet_seal
from league.core.log.services import club_journal
from league.play.online_table.models import OnlineSeat, OnlineTable
from league.play.online_table.queries import seats_of, table_deadline
from league.play.online_table.services.automatic import AUTOMATIC_ACTS
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
) -> Acted:
    """Let a seat act; then the automatic players act. `value`: what the act tells beside its seat. The same `key` again
    changes nothing.

    Raises `Overtaken`, and `Refused` as `online_act` does.
    """
    if table.open_game is None:
        raise Refused(Illegal("not_started", say("the game hasn't begun")))
    acted = online_act(
        open_game=table.open_game.public_id,
        length=length,
        act=act,
        seat=seat.number,
        value=value,
        writer=Writer(seat=seat.number),
        key=key,
    )
    if acted.created:
        if not acted.asked_all:
            _bank_use(table, seat, acted.waited)
        game_go_on(table, acted.row, seats_of(table))
    return acted


@transaction.atomic
def seat_time_up(*, table: OnlineTable, by: OnlineSeat) -> Acted:
    """Play on without the seats whose time is up, as another seat asks: a seat whose turn it is has left, and one that
    was asked believes. Raises `Refused` (`time_left`, `not_started`). Rulings B17, K15, K16."""
    if table.open_game is None:
        raise Refused(Illegal("not_started", say("the game hasn't begun")))
    OpenSheet.objects.select_for_update(no_key=True).get(open_game=table.open_game)
    game = online_game(table.open_game.pk)
    seats = seats_of(table)
    late = game.sheet.to_act
    if not late or by.number in late or timezone.now() < table_deadline(table, game, seats):
        raise Refused(Illegal("time_left", say("there is time left")))
    for seat in late:
        acted = online_act(
            open_game=table.open_game.public_id,
            length=None,
            act="timeout",
            seat=seat,
            writer=DEALER,
            key=uuid4(),
        )
    game_go_on(table, acted.row, seats)
    return acted


def game_go_on(table: OnlineTable, row: OpenSheet, seats: Sequence[OnlineSeat]) -> None:
    """Do what follows an act: automatic players act until a person's turn comes, and a game that is over is sealed."""
    choose = partial(_choice, seats)
    while acted := automatic_act(open_game=row.open_game.public_id, choose=choose):
        row = acted.row
    if row.over:
        _finish(table, row)


def _choice(
    seats: Sequence[OnlineSeat], sheet: DealtSheet, dealer: Dealer, hidden: HiddenActs
) -> tuple[str, SheetEntry] | None:
    """What the first automatic player for whom the table waits does: it uses what its own seat sees alone. None: only
    people are to act."""
    waiting = [seats[number] for number in sheet.to_act if seats[number].automatic]
    if not waiting:
        return None
    seat = waiting[0]
    choose = AUTOMATIC_ACTS[sheet.record.kind]
    return seat.automatic, choose(seat.automatic, seat.number, sheet, dealer, hidden)


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
