"""Who may seal what was written at a table: whoever wrote it, somebody else there, or an
arbiter."""

from __future__ import annotations

from engine.sheet.entry import ASIDES
from games.models import Device, OpenSheet, SheetEntry
from games.services.open_game import Writer
from league.core.account.models import User
from league.core.viewer.permissions import Account
from league.core.viewer.queries.access import Viewer
from league.events.event.models import Event
from league.sheets.device.domain.writer import BY_TIME
from league.sheets.device.queries import (
    WriterIds,
    writer_ids,
    players_of_game,
    players_of_table,
    seats_of_writers,
)
from league.sheets.sheet.models import ClubOpenGame, SeasonOpenGame, TableOpenGame
from league.stages.table.models import Table
from league.stages.table.queries.access import may_write


def may_write_down(viewer: Viewer, subject: Table | ClubOpenGame) -> bool:
    """Return True if the viewer may write down the games of a table, or an open game without
    one."""
    if isinstance(subject, SeasonOpenGame):
        return viewer.user.has_perm("league.enter_games", subject.club)
    return may_write(viewer, subject if isinstance(subject, Table) else subject.table)


def is_scorer(user: Account, subject: Table | ClubOpenGame) -> bool:
    """Return True if an account may write down games there without sitting at the table."""
    if isinstance(subject, SeasonOpenGame):
        return user.has_perm("league.enter_games", subject.club)
    table = subject if isinstance(subject, Table) else subject.table
    return user.has_perm("league.score_event", table.stage_round.stage.event)


def may_seal(viewer: Viewer, subject: Table | ClubOpenGame) -> bool:
    """Return True if the viewer's rights allow sealing such a game: everybody who may write it down
    may, and arbiters if the event wants a confirmation by others."""
    if may_write_down(viewer, subject):
        return True
    if isinstance(subject, SeasonOpenGame):
        return False
    event = (subject if isinstance(subject, Table) else subject.table).stage_round.stage.event
    return event.confirmed_by_others and viewer.user.has_perm("league.rule_event", event)


def is_confirmed(row: TableOpenGame, sheet: OpenSheet, writer: Writer) -> bool:
    """Return True if this writer can give the confirmation that the event wants. `sheet`: the sheet
    of the game, which is over. Seven queries at most."""
    table = row.table
    event = table.stage_round.stage.event
    if writer == BY_TIME:
        return True
    if row.confirmation == Event.Confirmer.ARBITER:
        return may_rule(event, writer)
    if event.confirmation == Event.Confirmer.SEAT:
        return _is_another_seat(row, sheet, writer)
    if event.players_enter or event.confirmed_by_others or writer.device_id is None:
        return True
    maker = Device.objects.select_related("made_by").get(pk=writer.device_id).made_by
    return maker is None or may_write(Viewer(maker), table)


def _is_another_seat(row: TableOpenGame, sheet: OpenSheet, writer: Writer) -> bool:
    """Return True for a seat without entries on the sheet, or if every seat has some, for a seat
    that didn't make the last one. Also for an arbiter or organiser without entries."""
    entries = SheetEntry.objects.filter(sheet=sheet).exclude(act__in=ASIDES).order_by("number")
    hands = list(entries.values_list("account", "device"))
    own_hand = writer_ids(writer)
    players = players_of_game(row)
    seats = seats_of_writers(players, {own_hand, *hands})
    wrote = {seats[hand] for hand in hands}
    own_seat = seats[own_hand]
    if own_seat is None:
        return own_hand not in hands and may_rule(row.table.stage_round.stage.event, writer)
    if own_seat not in wrote:
        return True
    all_wrote = wrote >= set(range(len(players)))
    return all_wrote and own_seat != seats[hands[-1]]


def may_rule(event: Event, writer: Writer) -> bool:
    """Return True if the writer is an arbiter or organiser of the event or its club."""
    account_id = writer.account_id
    return account_id is not None and User.objects.get(pk=account_id).has_perm(
        "league.rule_event", event
    )


def is_same_writer(table: Table, *writers: WriterIds) -> bool:
    """Return True if the writers are one: a player's account, the phones with keys that it made,
    and those with keys for the player's seat count as one. Three queries at most."""
    seats = seats_of_writers(players_of_table(table), writers)
    return len({hand if seats[hand] is None else seats[hand] for hand in writers}) == 1
