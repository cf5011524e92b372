"""How what is written at tables stands in the club's log, for tests/league/test_logging.py."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final
from uuid import uuid4

from django.utils import timezone

from engine.record.write import write
from engine.sheet.entry import stored_entry
from games.models import Game, OpenSheet, SheetBranch
from games.queries.open_game import sheet_written
from games.services.open_game import Writer, entry_add
from league.core.log.actions import Action
from league.disputes.play_again.services import game_play_again, round_void
from league.events.event.actions import EventAction
from league.events.event.services import event_change
from league.models import GameDevice, SeasonOpenGame, Table, TableDevice, TableOpenGame
from league.sheets.branch.services import branch_agree, table_branch_keep
from league.sheets.confirmation.services.deadline import sheet_settle
from league.sheets.confirmation.services.submission import sheet_submit
from league.sheets.device.actions import DeviceAction
from league.sheets.device.services.device import device_make, device_revoke, devices_make
from league.sheets.sheet.actions import SheetAction
from league.sheets.sheet.services.open_game import open_game_seal, table_game_open
from league.sheets.sheet.services.season_game import season_game_enter, season_game_open
from league.standings.ranked_game.actions import GameAction
from tests.factories import events

SCRIBE: Final = Writer(automatic="test")
WHY: Final = events.ACTOR.with_reason("A cup was lifted.")


def finished_sheet(table: Table) -> TableOpenGame:
    """An open game that time has ended."""
    row = table_game_open(table=table)
    entry = stored_entry("close", {"ended": "clock"})
    entry_add(open_game=row.open_game.public_id, length=0, entry=entry, writer=SCRIBE, key=uuid4())
    return row


def table_device(table: Table) -> TableDevice:
    """A phone that writes for a table."""
    device, _ = device_make(subject=table, actor=events.ACTOR)
    return TableDevice.objects.select_related("device", "table__stage_round__stage__event").get(
        device=device
    )


def season_game(table: Table) -> SeasonOpenGame:
    """A game of the table's season without a table, of two who are there."""
    season = table.stage_round.stage.event.season
    handles = list(season.club.players.values_list("handle", flat=True)[:2])
    return season_game_open(season=season, handles=handles, opener=SCRIBE, key="game1")


def finished_season_game(table: Table) -> SeasonOpenGame:
    """The same, which time has ended."""
    row = season_game(table)
    entry = stored_entry("close", {"ended": "clock"})
    entry_add(open_game=row.open_game.public_id, length=0, entry=entry, writer=SCRIBE, key=uuid4())
    return row


def season_line(table: Table) -> bytes:
    """The record of such a game."""
    return write(
        sheet_written(finished_season_game(table).open_game.public_id).sheet.whole()
    ).encode()


def game_device(table: Table) -> GameDevice:
    """A phone that writes for such a game alone."""
    device, _ = device_make(subject=season_game(table), actor=events.ACTOR)
    return GameDevice.objects.select_related(
        "device", "open_game__open_game", "open_game__season"
    ).get(device=device)


def late_bids(table: Table) -> SheetBranch:
    """Two bids that a phone wrote while another one closed the first round."""
    row = table_game_open(table=table)
    entry = stored_entry("close", {"losses": [1, 0, 0, 0]})
    entry_add(open_game=row.open_game.public_id, length=0, entry=entry, writer=SCRIBE, key=uuid4())
    phone = table_device(table).device
    entries = [
        {"key": str(uuid4()), "act": "note", "value": {"bid": bid}, "at": "2026-11-25T19:30:00Z"}
        for bid in ("2x4", "3x4")
    ]
    writer = Writer(device=(phone.pk, phone.public_id))
    return table_branch_keep(row=row, after=0, entries=entries, writer=writer, key=uuid4())


def late_bids_let_in(table: Table) -> bool:
    """A bid that a phone sent whose key had ended, with which two seats agree."""
    row = table_game_open(table=table)
    phone = table_device(table)
    device_revoke(device=phone, actor=events.ACTOR)
    entries = [
        {"key": str(uuid4()), "act": "note", "value": {"bid": "2x4"}, "at": "2026-11-25T19:30:00Z"}
    ]
    writer = Writer(device=(phone.device.pk, phone.device.public_id))
    branch = table_branch_keep(row=row, after=0, entries=entries, writer=writer, key=uuid4())
    seats = [device_make(subject=table, actor=events.ACTOR, seat=seat)[0] for seat in (0, 1)]
    writers = [Writer(device=(seat.pk, seat.public_id)) for seat in seats]
    return [branch_agree(row=row, branch=branch, writer=writer) for writer in writers][-1]


def sheet_handed_in(table: Table) -> TableOpenGame:
    """One of two sheets that are written unseen, handed in by the phone that wrote it."""
    event = table.stage_round.stage.event
    event_change(event=event, actor=events.ACTOR, confirmation="double")
    table.stage_round.stage.event.confirmation = "double"
    phone = table_device(table).device
    writer = Writer(device=(phone.pk, phone.public_id))
    row = table_game_open(table=table, opener=writer)
    entry = stored_entry("close", {"ended": "clock"})
    entry_add(open_game=row.open_game.public_id, length=0, entry=entry, writer=writer, key=uuid4())
    sheet_submit(row=row, length=1, writer=writer)
    return row


def reminded(table: Table) -> bool:
    """A game that has waited for somebody's word for a while."""
    event_change(event=table.stage_round.stage.event, actor=events.ACTOR, confirmation="seat")
    row = finished_sheet(table)
    OpenSheet.objects.update(heard_at=timezone.now() - timedelta(hours=1))
    return sheet_settle(open_game_id=row.pk)


def sealed_game(table: Table) -> Game:
    """A game of two rounds, with its season and club."""
    row = table_game_open(table=table)
    rounds: list[dict[str, Any]] = [
        {"losses": [0, 1, 0, 0]},
        {"losses": [0, 0, 1, 0]},
        {"ended": "clock"},
    ]
    for length, value in enumerate(rounds):
        entry = stored_entry("close", value)
        entry_add(
            open_game=row.open_game.public_id,
            length=length,
            entry=entry,
            writer=SCRIBE,
            key=uuid4(),
        )
    open_game_seal(row=row, length=len(rounds), writer=SCRIBE)
    return Game.objects.select_related("season_game__season__club").get(table_game__table=table)


def played_again(table: Table) -> Game | None:
    """The same game, played again from its second round and sealed."""
    row = game_play_again(game=sealed_game(table), round_number=2, actor=WHY)
    entry = stored_entry("close", {"ended": "clock"})
    entry_add(open_game=row.open_game.public_id, length=2, entry=entry, writer=SCRIBE, key=uuid4())
    return open_game_seal(row=row, length=3, writer=SCRIBE)


AGAIN: Final[list[Action]] = [GameAction.SEALED, GameAction.VOIDED, GameAction.PLAY_AGAIN]
LOGGED: Final[dict[str, tuple[Callable[[Table], object], list[Action]]]] = {
    "sheets.device.device.device_make": (
        lambda table: device_make(subject=table, actor=events.ACTOR),
        [DeviceAction.MADE],
    ),
    "sheets.device.device.devices_make": (
        lambda table: devices_make(
            club_id=table.stage_round.stage.event.club_id,
            tables=list(Table.objects.filter(stage_round=table.stage_round)),
            actor=events.ACTOR,
        ),
        [DeviceAction.MADE] * 2,
    ),
    "sheets.device.device.device_revoke": (
        lambda table: [
            device_revoke(device=device_of(table), actor=events.ACTOR)
            for device_of in (table_device, game_device)
        ],
        [DeviceAction.MADE, DeviceAction.REVOKED] * 2,
    ),
    "sheets.sheet.season_game.season_game_enter": (
        lambda table: season_game_enter(
            season=table.stage_round.stage.event.season,
            line=season_line(table),
            actor=events.ACTOR,
            details={},
        ),
        [GameAction.SEALED],
    ),
    "sheets.branch.table_branch_keep": (late_bids, [DeviceAction.MADE, SheetAction.BRANCH_KEPT]),
    "sheets.branch.branch_agree": (
        late_bids_let_in,
        [
            *(DeviceAction.MADE, DeviceAction.REVOKED, SheetAction.BRANCH_KEPT),
            *(
                DeviceAction.MADE,
                DeviceAction.MADE,
                SheetAction.BRANCH_AGREED,
                SheetAction.BRANCH_AGREED,
            ),
        ],
    ),
    "sheets.confirmation.submission.sheet_submit": (
        sheet_handed_in,
        [EventAction.CHANGED, DeviceAction.MADE, SheetAction.SUBMITTED],
    ),
    "sheets.confirmation.deadline.sheet_settle": (
        reminded,
        [EventAction.CHANGED, SheetAction.REMINDED],
    ),
    "sheets.sheet.open_game.open_game_seal": (
        lambda table: open_game_seal(row=finished_sheet(table), length=1, writer=SCRIBE),
        [GameAction.SEALED],
    ),
    "disputes.play_again.game_play_again": (
        lambda table: game_play_again(game=sealed_game(table), round_number=2, actor=WHY),
        AGAIN,
    ),
    "disputes.play_again.round_void": (
        lambda table: round_void(game=sealed_game(table), round_number=2, actor=WHY),
        AGAIN,
    ),
    "stages.result.play_again.played_again_enter": (played_again, [*AGAIN, GameAction.CORRECTED]),
}
UNLOGGED: Final = {
    "sheets.device.code.code_take": (
        "enters what a phone wrote on its sheet, whose chain holds it; a branch is logged"
    ),
    "sheets.sheet.writing.sheet_write": (
        "enters what somebody wrote on its sheet, whose chain holds it"
    ),
    "sheets.confirmation.submission.refuse_entry": "writes nothing",
    "sheets.confirmation.submission.refuse_unfinished": "writes nothing",
    "sheets.confirmation.submission.pair_hold": "writes nothing",
    "sheets.sheet.season_game.season_game_open": "opens a sheet as table_game_open does",
    "sheets.sheet.open_game.table_play_again_open": "part of a larger action, which is logged",
    "sheets.sheet.open_game.table_game_open": (
        "opens a sheet with a chain of its own; its game is logged"
    ),
}
