"""Keys with which a phone writes for one table, or for one game without a table, without anybody's account."""

from __future__ import annotations

from collections.abc import Sequence

from games.models import Device
from games.models.public_id import new_public_id
from league.frame.letter_link import digest_of
from league.log.services import Actor, Journal, club_journal
from league.sheets.actions import DeviceAction
from league.sheets.domain.key import device_key
from league.sheets.domain.writer import LASTS
from league.sheets.models import ClubDevice, GameDevice, SeasonOpenGame
from league.tables.models import Table


def device_make(*, subject: Table | SeasonOpenGame, actor: Actor) -> tuple[Device, str]:
    """Make a key to write for a table, or for a game without one; the key is told once and stored nowhere."""
    with club_journal(_scope(subject)[0], actor) as journal:
        return _made(journal, subject)


def devices_make(*, club_id: int, tables: Sequence[Table], actor: Actor) -> list[str]:
    """Make a key for each of a club's tables, all or none; the keys in the order of the tables."""
    with club_journal(club_id, actor) as journal:
        return [_made(journal, table)[1] for table in tables]


def _made(journal: Journal, subject: Table | SeasonOpenGame) -> tuple[Device, str]:
    public_id = new_public_id()
    key = device_key(public_id)
    device = Device.objects.create(
        public_id=public_id,
        key_digest=digest_of(key),
        made_at=journal.at,
        made_by_id=journal.actor.account_id,
        ends_at=journal.at + LASTS,
    )
    subject.devices.create(device=device)
    journal.add(DeviceAction.MADE, device.public_id, _scope(subject)[1])
    return device, key


def _scope(subject: Table | SeasonOpenGame) -> tuple[int, dict[str, str]]:
    """The club of what a device writes for, and what the log says of it."""
    if isinstance(subject, SeasonOpenGame):
        return subject.season.club_id, {"open_game": subject.open_game.public_id}
    return subject.stage_round.stage.event.club_id, {"table": subject.public_id}


def device_revoke(*, device: ClubDevice, actor: Actor) -> bool:
    """End a key at once; False: it was revoked already. What it wrote before stays, also what still comes in."""
    club_id, scope = _scope(device.open_game if isinstance(device, GameDevice) else device.table)
    with club_journal(club_id, actor) as journal:
        revoked = Device.objects.filter(pk=device.pk, revoked_at=None).update(revoked_at=journal.at)
        if revoked:
            journal.add(DeviceAction.REVOKED, device.device.public_id, scope)
    return bool(revoked)
