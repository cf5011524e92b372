"""Keys with which a phone writes for one table, or for one game without a table, without anybody's account."""

from __future__ import annotations

from collections.abc import Sequence

from games.models import Device
from league.frame.letter_link import digest_of, new_token
from league.log.services import Actor, Journal, club_journal
from league.sheets.actions import DeviceAction
from league.sheets.domain.writer import LASTS
from league.sheets.models import ClubDevice, GameDevice, SeasonOpenGame, TableDevice
from league.tables.models import Table


def device_make(*, table: Table, actor: Actor) -> tuple[Device, str]:
    """Make a key to write for a table; the key itself is told once and stored nowhere."""
    with club_journal(table.stage_round.stage.event.club_id, actor) as journal:
        return _made(journal, table, actor)


def devices_make(*, club_id: int, tables: Sequence[Table], actor: Actor) -> list[str]:
    """Make a key for each of a club's tables, all or none; the keys in the order of the tables."""
    with club_journal(club_id, actor) as journal:
        return [_made(journal, table, actor)[1] for table in tables]


def game_device_make(*, row: SeasonOpenGame, actor: Actor) -> tuple[Device, str]:
    """Make a key to write for a game without a table, told once and stored nowhere as those of tables are."""
    with club_journal(row.season.club_id, actor) as journal:
        device, key = _device(journal, actor)
        GameDevice.objects.create(device=device, open_game=row)
        journal.add(DeviceAction.MADE, device.public_id, {"open_game": row.open_game.public_id})
    return device, key


def _made(journal: Journal, table: Table, actor: Actor) -> tuple[Device, str]:
    device, key = _device(journal, actor)
    TableDevice.objects.create(device=device, table=table)
    journal.add(DeviceAction.MADE, device.public_id, {"table": table.public_id})
    return device, key


def _device(journal: Journal, actor: Actor) -> tuple[Device, str]:
    """A new device that writes for nothing yet, and its key."""
    key = new_token()
    device = Device.objects.create(
        key_digest=digest_of(key), made_at=journal.at, made_by_id=actor.account_id, ends_at=journal.at + LASTS
    )
    return device, key


def device_revoke(*, device: ClubDevice, actor: Actor) -> bool:
    """End a key at once; False: it was revoked already. What it wrote before stays, also what still comes in."""
    if isinstance(device, GameDevice):
        club, scope = device.open_game.club, {"open_game": device.open_game.open_game.public_id}
    else:
        club, scope = device.table.stage_round.stage.event.club, {"table": device.table.public_id}
    with club_journal(club.pk, actor) as journal:
        revoked = Device.objects.filter(pk=device.pk, revoked_at=None).update(revoked_at=journal.at)
        if revoked:
            journal.add(DeviceAction.REVOKED, device.device.public_id, scope)
    return bool(revoked)
