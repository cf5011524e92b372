"""Making and revoking the keys with which phones write for one table, or in one game without a
table."""

from __future__ import annotations

from collections.abc import Sequence

from engine.illegal import Illegal, Refused
from engine.messages import say
from games.models import Device
from games.models.public_id import new_public_id
from league.core.account.models import User
from league.core.frame.letter_link import digest_of
from league.core.log.services import Actor, Journal, club_journal
from league.core.player.models import Player
from league.sheets.confirmation.queries.confirmation import is_scorer
from league.sheets.device.actions import DeviceAction
from league.sheets.device.domain.key import device_key
from league.sheets.device.domain.writer import LASTS
from league.sheets.device.models import DEVICE, ClubDevice, GameDevice
from league.sheets.device.queries import players_at, seats_of_writers
from league.sheets.sheet.models import SeasonOpenGame
from league.stages.table.models import Table


def device_make(
    *, subject: Table | SeasonOpenGame, actor: Actor, seat: int | None = None, own: bool = False
) -> tuple[Device, str]:
    """Make a key for writing for a table, or in a game without one. Return the device and its key,
    which isn't stored.

    `seat`: of the player who holds the phone, from 0; None for a scorer's key. A player who isn't a
    scorer always gets a key for their own seat. `own`: whether it is for the phone of the account
    that makes it. Raise `Refused` (`no_seat`, `other_seat`)."""
    player = _holder(subject, actor, seat)
    club_id, _ = _club_and_log_subject(subject)
    with club_journal(club_id, actor) as journal:
        return _device_create(journal, subject, player, own=own)


def devices_make(*, club_id: int, tables: Sequence[Table], actor: Actor) -> list[str]:
    """Make a scorer's key for each of these tables of a club, in one transaction. Return the keys
    in the order of the tables."""
    with club_journal(club_id, actor) as journal:
        return [_device_create(journal, table, player=None)[1] for table in tables]


def _holder(subject: Table | SeasonOpenGame, actor: Actor, seat: int | None) -> Player | None:
    players = players_at(subject)
    if seat is not None and not 0 <= seat < len(players):
        raise Refused(Illegal("no_seat", say("nobody sits in this seat"), path="seat"))
    maker = None if actor.account_id is None else User.objects.get(pk=actor.account_id)
    if maker is not None and not is_scorer(maker, subject):
        account_alone = (maker.pk, None)
        own_seat = seats_of_writers(players, [account_alone])[account_alone]
        if seat is not None and seat != own_seat:
            message = say("players can make keys for their own seat only")
            raise Refused(Illegal("other_seat", message, path="seat"))
        seat = own_seat
    player_id = None if seat is None else players[seat]
    return None if player_id is None else Player.objects.get(pk=player_id)


def _device_create(
    journal: Journal, subject: Table | SeasonOpenGame, player: Player | None, *, own: bool = False
) -> tuple[Device, str]:
    public_id = new_public_id()
    key = device_key(public_id)
    device = Device.objects.create(
        public_id=public_id,
        key_digest=digest_of(key),
        made_at=journal.at,
        made_by_id=journal.actor.account_id,
        ends_at=journal.at + LASTS,
    )
    subject.devices.create(device=device, player=player, own=own)
    payload: dict[str, str | bool] = {**_club_and_log_subject(subject)[1]}
    if player:
        payload["player"] = player.public_id
    if own:
        payload["own"] = True
    journal.add(DeviceAction.MADE, public_id, payload)
    journal.state(DEVICE, [device])
    return device, key


def _club_and_log_subject(subject: Table | SeasonOpenGame) -> tuple[int, dict[str, str]]:
    if isinstance(subject, SeasonOpenGame):
        return subject.season.club_id, {"open_game": subject.open_game.public_id}
    return subject.stage_round.stage.event.club_id, {"table": subject.public_id}


def device_revoke(*, device: ClubDevice, actor: Actor) -> bool:
    """Revoke the key of a device. Return False if it was revoked already.

    Entries that are on a sheet stay there; whatever the key sends from now on is kept beside it."""
    subject = device.open_game if isinstance(device, GameDevice) else device.table
    club_id, log_subject = _club_and_log_subject(subject)
    with club_journal(club_id, actor) as journal:
        devices = Device.objects.filter(pk=device.pk, revoked_at=None)
        is_revoked_now = bool(devices.update(revoked_at=journal.at))
        if is_revoked_now:
            journal.add(DeviceAction.REVOKED, device.device.public_id, log_subject)
            journal.state(DEVICE, [device.pk], ["revoked_at"])
    return is_revoked_now
