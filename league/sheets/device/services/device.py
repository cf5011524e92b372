"""Keys with which a phone writes for one table, or for one game without a table, without anybody's
account."""

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
from league.sheets.device.queries import players_at, seats_of_hands
from league.sheets.sheet.models import SeasonOpenGame
from league.stages.table.models import Table


def device_make(
    *, subject: Table | SeasonOpenGame, actor: Actor, seat: int | None = None, own: bool = False
) -> tuple[Device, str]:
    """Make a key for writing at a table, or in a game without one. Return it with its text, which
    isn't stored. `own`: it is for the phone of the account that makes it.

    It is the key of the player at `seat`, counted from 0, or a scorer's; a player who isn't a
    scorer makes only their own. Raise `Refused` with `no_seat` or `other_seat`."""
    player = _player_at(subject, actor, seat)
    with club_journal(_scope(subject)[0], actor) as journal:
        return _made(journal, subject, player, own=own)


def devices_make(*, club_id: int, tables: Sequence[Table], actor: Actor) -> list[str]:
    """Make a scorer's key for each of a club's tables, all or none; the keys in the order of the
    tables."""
    with club_journal(club_id, actor) as journal:
        return [_made(journal, table, None)[1] for table in tables]


def _player_at(subject: Table | SeasonOpenGame, actor: Actor, seat: int | None) -> Player | None:
    """Return the player whose key is made; None for a scorer's. Raise `Refused`."""
    players = players_at(subject)
    if seat is not None and not 0 <= seat < len(players):
        raise Refused(Illegal("no_seat", say("nobody sits in this seat"), path="seat"))
    maker = None if actor.account_id is None else User.objects.get(pk=actor.account_id)
    if maker is not None and not is_scorer(maker, subject):
        hand = (maker.pk, None)
        own_seat = seats_of_hands(players, [hand])[hand]
        if seat is not None and seat != own_seat:
            message = say("players can make keys for their own seat only")
            raise Refused(Illegal("other_seat", message, path="seat"))
        seat = own_seat
    player_id = None if seat is None else players[seat]
    return None if player_id is None else Player.objects.get(pk=player_id)


def _made(
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
    holder = {"player": player.public_id} if player else {}
    owner = {"own": True} if own else {}
    journal.add(DeviceAction.MADE, public_id, _scope(subject)[1] | holder | owner)
    journal.state(DEVICE, [device])
    return device, key


def _scope(subject: Table | SeasonOpenGame) -> tuple[int, dict[str, str]]:
    """Return the club of what a device writes for, and what the log says of it."""
    if isinstance(subject, SeasonOpenGame):
        return subject.season.club_id, {"open_game": subject.open_game.public_id}
    return subject.stage_round.stage.event.club_id, {"table": subject.public_id}


def device_revoke(*, device: ClubDevice, actor: Actor) -> bool:
    """End a key at once; False: it was revoked already. What stands on a sheet stays; what comes in
    by the key from now on is kept beside it."""
    club_id, scope = _scope(device.open_game if isinstance(device, GameDevice) else device.table)
    with club_journal(club_id, actor) as journal:
        revoked = Device.objects.filter(pk=device.pk, revoked_at=None).update(revoked_at=journal.at)
        if revoked:
            journal.add(DeviceAction.REVOKED, device.device.public_id, scope)
            journal.state(DEVICE, [device.pk], ["revoked_at"])
    return bool(revoked)
