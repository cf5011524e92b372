"""The loaders of open games and of the devices that write them."""

from __future__ import annotations

from django.db.models import Q

from games.models import Device
from games.services.open_game import NOBODY, Writer
from league.clubs.queries.access import Viewer
from league.events.queries.access import visible_events
from league.frame.letter_link import digest_of
from league.sheets.models import TableDevice, TableOpenGame
from league.sheets.queries.double_entry import is_own_sheet
from league.tables.models import Table, TableGame
from league.tables.queries.access import table_for_writing
from league.tables.queries.retraction import is_public

TABLE = (
    *("table__group", "table__stage_round__stage__event__club"),
    *("table__stage_round__stage__event__season__ranking", "table__stage_round__stage__event__season__club__all_time"),
)
"""The table of a row with all that pages and services ask of it."""


def open_game_for(viewer: Viewer, public_id: str, device: TableDevice | None = None) -> TableOpenGame:
    """An open game by its public id, with its table, sheet and the game it was sealed as, for all who see the table,
    and for a device of that table, whoever may see it; one that is concealed for whoever opened it alone.

    Raises `TableOpenGame.DoesNotExist`.
    """
    rows = TableOpenGame.objects.select_related("open_game__sheet__sealed__game", "submission", *TABLE)
    is_seen = Q(table__stage_round__stage__event__in=visible_events(viewer))
    if device is not None:
        is_seen |= Q(table=device.table_id)
    row = rows.get(is_seen, open_game__public_id=public_id)
    if not is_public(row.table.stage_round) or (_is_concealed(row) and not is_own_sheet(row, _writer(viewer, device))):
        raise TableOpenGame.DoesNotExist
    return row


def _is_concealed(row: TableOpenGame) -> bool:
    """True if a sheet is written unseen, and its game didn't come in otherwise meanwhile."""
    return row.concealed and not TableGame.objects.filter(table=row.table_id, number=row.number).exists()


def _writer(viewer: Viewer, device: TableDevice | None) -> Writer:
    """Who looks at a sheet, as one who writes."""
    if device is not None:
        return Writer(device=(device.pk, device.device.public_id))
    user = viewer.user
    return Writer(account=(user.pk, user.public_id)) if user.is_authenticated else NOBODY


def table_of_device(device: TableDevice) -> Table:
    """The table for which a device writes, whoever else may see it. Raises `Table.DoesNotExist` while its round isn't
    public."""
    if not is_public(device.table.stage_round):
        raise Table.DoesNotExist
    return device.table


def device_of_key(key: str) -> TableDevice | None:
    """The device that has a key, with its table; also one that has ended, or was revoked."""
    return TableDevice.objects.select_related("device", *TABLE).filter(device__key_digest=digest_of(key)).first()


def device_for_writing(viewer: Viewer, table_id: str, device_id: str) -> TableDevice:
    """A device of a table whose game the viewer may write down. Raises `DoesNotExist`."""
    return table_for_writing(viewer, table_id).devices.select_related("device").get(device__public_id=device_id)


def devices_of(table: Table) -> list[Device]:
    """The devices that may write for a table, the newest first."""
    devices = Device.objects.filter(table_device__table=table, revoked_at=None).select_related("made_by")
    return list(devices.order_by("-made_at", "-pk"))
