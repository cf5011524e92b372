"""Who may seal what was written at a table: whoever wrote it, somebody else there, or an arbiter."""

from __future__ import annotations

from django.db.models import Q

from games.models import Device, OpenSheet, SheetEntry
from games.services.open_game import Writer
from league.clubs.models import User
from league.clubs.queries.access import Viewer
from league.events.models import Event
from league.sheets.domain.writer import BY_TIME
from league.sheets.models import ClubOpenGame, SeasonOpenGame
from league.tables.models import Table, TableSeat
from league.tables.queries.access import may_write


def may_write_down(viewer: Viewer, subject: Table | ClubOpenGame) -> bool:
    """True if the viewer may write down a game of a table, or one of a season without a table."""
    if isinstance(subject, SeasonOpenGame):
        return viewer.user.has_perm("league.enter_games", subject.club)
    return may_write(viewer, subject if isinstance(subject, Table) else subject.table)


def may_seal(viewer: Viewer, subject: Table | ClubOpenGame) -> bool:
    """True if the viewer may seal such a game as far as their rights go: whoever may write it down, and arbiters where
    somebody else than the writer confirms."""
    if may_write_down(viewer, subject):
        return True
    if isinstance(subject, SeasonOpenGame):
        return False
    event = (subject if isinstance(subject, Table) else subject.table).stage_round.stage.event
    return event.confirmed_by_others and viewer.user.has_perm("league.rule_event", event)


def is_confirmed(table: Table, sheet: OpenSheet, writer: Writer) -> bool:
    """True if this writer's word is the confirmation for which the event asks. `sheet`: that of a game that is over.
    Three queries at most."""
    event = table.stage_round.stage.event
    if writer == BY_TIME:
        return True
    if event.confirmation == Event.Confirmer.ARBITER:
        return rules(event, writer)
    if event.confirmation == Event.Confirmer.SEAT:
        last = SheetEntry.objects.get(sheet=sheet, number=sheet.length - 1)
        return not is_one_hand(table, (writer.account_id, writer.device_id), (last.account_id, last.device_id))
    if event.players_enter or event.confirmed_by_others or writer.device_id is None:
        return True
    maker = Device.objects.select_related("made_by").get(pk=writer.device_id).made_by
    return maker is None or may_write(Viewer(maker), table)


def rules(event: Event, writer: Writer) -> bool:
    """True for an arbiter or organiser of the event or its club."""
    account_id = writer.account_id
    return account_id is not None and User.objects.get(pk=account_id).has_perm("league.rule_event", event)


def is_one_hand(table: Table, *writers: tuple[int | None, int | None]) -> bool:
    """True if writers, each by the rows of account and device, are the same: a player's account and the phones whose
    keys that player made are. One query."""
    owners = _owners(table, [device for _, device in writers])
    return len({(owners[device], None) if device in owners else (account, device) for account, device in writers}) == 1


def _owners(table: Table, devices: list[int | None]) -> dict[int | None, int | None]:
    """Those of the devices whose keys were made by somebody who sits at the table: each is that account's own."""
    seats = TableSeat.objects.filter(table=table)
    own = Q(made_by__in=seats.values("entry__player__user"))
    own |= Q(made_by__in=seats.values("entry__player__merged_into__user"))
    rows = Device.objects.filter(own, pk__in=[device for device in devices if device is not None])
    return dict(rows.values_list("pk", "made_by"))
