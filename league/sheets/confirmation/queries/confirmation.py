"""Who may write a game down, and who may confirm and seal it."""

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
    players_of_game,
    players_of_table,
    seats_of_writers,
    writer_ids,
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
    """Return True if an account may write down the games of a table, or an open game, without
    sitting there."""
    if isinstance(subject, SeasonOpenGame):
        return user.has_perm("league.enter_games", subject.club)
    table = subject if isinstance(subject, Table) else subject.table
    return user.has_perm("league.score_event", table.stage_round.stage.event)


def may_seal(viewer: Viewer, subject: Table | ClubOpenGame) -> bool:
    """Return True if the viewer may seal a game of this table, or this game: those who may write it
    down, and arbiters if others confirm the event's games. `is_confirmed` decides the rest."""
    if may_write_down(viewer, subject):
        return True
    if isinstance(subject, SeasonOpenGame):
        return False
    event = (subject if isinstance(subject, Table) else subject.table).stage_round.stage.event
    return event.confirmed_by_others and viewer.user.has_perm("league.rule_event", event)


def is_confirmed(row: TableOpenGame, sheet: OpenSheet, writer: Writer) -> bool:
    """Return True if the game counts as confirmed, as its event demands, when this writer seals it.
    `sheet`: the sheet of the finished game. Seven queries at most."""
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
    # Players don't enter results here, so the key must come from somebody who does.
    maker = Device.objects.select_related("made_by").get(pk=writer.device_id).made_by
    return maker is None or may_write(Viewer(maker), table)


def _is_another_seat(row: TableOpenGame, sheet: OpenSheet, writer: Writer) -> bool:
    """Return True if the writer may confirm what others wrote on the sheet.

    That is a seat without entries on it; if every seat has entries, any seat but the one that made
    the last entry. An arbiter or organiser without a seat and without entries may, too."""
    entries = SheetEntry.objects.filter(sheet=sheet).exclude(act__in=ASIDES).order_by("number")
    entry_writers = list(entries.values_list("account", "device"))
    confirmer = writer_ids(writer)
    players = players_of_game(row)
    seats = seats_of_writers(players, {confirmer, *entry_writers})
    seats_with_entries = {seats[entry_writer] for entry_writer in entry_writers}
    own_seat = seats[confirmer]
    if own_seat is None:
        has_entries = confirmer in entry_writers
        return not has_entries and may_rule(row.table.stage_round.stage.event, writer)
    if own_seat not in seats_with_entries:
        return True
    all_wrote = seats_with_entries >= set(range(len(players)))
    seat_of_last_entry = seats[entry_writers[-1]]
    return all_wrote and own_seat != seat_of_last_entry


def may_rule(event: Event, writer: Writer) -> bool:
    """Return True if the writer is an account with the rights of an arbiter of the event."""
    account_id = writer.account_id
    return account_id is not None and User.objects.get(pk=account_id).has_perm(
        "league.rule_event", event
    )


def is_same_writer(table: Table, *writers: WriterIds) -> bool:
    """Return True if all writers count as one: a player's account, the phones with keys that it
    made, and the phones with keys for the player's seat do. Three queries at most."""
    seats = seats_of_writers(players_of_table(table), writers)
    # Writers at the same seat are the same; a writer without a seat is the same only as itself.
    different = {writer if seats[writer] is None else seats[writer] for writer in writers}
    return len(different) == 1
