"""Taking in what a phone without network wrote, by the code that it shows."""

from __future__ import annotations

from typing import NamedTuple
from uuid import NAMESPACE_OID, uuid5

from django.utils import timezone

from engine.illegal import Illegal, Refused
from engine.messages import say
from games.models import Device
from games.services.open_game import Overtaken, Writer, entry_add
from league.events.models import Event
from league.seasons.models import Season
from league.sheets.domain.code import Code, read_code
from league.sheets.domain.key import device_keys
from league.sheets.domain.writer import device_ended
from league.sheets.models import ClubOpenGame, SeasonOpenGame, TableOpenGame
from league.sheets.queries.access import SEASON, TABLE
from league.sheets.services.branch import table_branch_keep
from league.sheets.services.submission import refuse_entry


class TakenCode(NamedTuple):
    """An open game, how many entries stand on its sheet that weren't there before, and whether others came too late and
    are kept beside it."""

    row: ClubOpenGame
    added: int
    is_late: bool


def code_take(*, ground: Event | Season, text: str) -> TakenCode:
    """Enter what a phone wrote at a table of an event, or of a game of a season without a table, as if it had sent it
    itself; twice is once.

    Raises `Refused`: with `bad_code`, `other_event`, `forged_code` (no phone with a key made it), `key_ended` (some
    of it was written after that); `Refused` as `refuse_entry` does; `Refused` as `table_branch_keep` does.
    """
    code = read_code(text)
    row = _open_game(ground, code.open_game)
    device = _signer(row, code)
    end = device_ended(device, timezone.now())
    if end is not None and any(waiting.at >= end for waiting in code.entries):
        raise Refused(Illegal("key_ended", say("the key of this phone had ended, or was revoked, when it wrote this")))
    writer = Writer(device=(device.pk, device.public_id))
    refuse_entry(row, writer)
    added = 0
    for place, (key, entry, at) in enumerate(code.entries):
        length = code.after + place
        try:
            added += entry_add(
                open_game=code.open_game, length=length, entry=entry, writer=writer, key=key, device_at=at
            ).created
        except (Overtaken, Refused):
            late = [waiting.as_json() for waiting in code.entries[place:]]
            table_branch_keep(row=row, after=length, entries=late, writer=writer, key=uuid5(NAMESPACE_OID, code.text))
            return TakenCode(row, added, is_late=True)
    return TakenCode(row, added, is_late=False)


def _signer(row: ClubOpenGame, code: Code) -> Device:
    """The phone that made a code, among those with a key to the game. Raises `Refused` with `forged_code`."""
    for club_device in row.subject.devices.select_related("device"):
        device = club_device.device
        if any(code.is_signed_by(key) for key in device_keys(device.public_id)):
            return device
    raise Refused(Illegal("forged_code", say("no phone with a key of this game made this code")))


def _open_game(ground: Event | Season, public_id: str) -> ClubOpenGame:
    """The open game of a code, at a table of an event or without one in a season. Raises `Refused`."""
    row: ClubOpenGame | None
    if isinstance(ground, Event):
        words = say("this code is of a game of another event")
        tables = TableOpenGame.objects.select_related("open_game__sheet", "submission", *TABLE)
        row = tables.filter(table__stage_round__stage__event=ground, open_game__public_id=public_id).first()
    else:
        words = say("this code is of a game of an event, or of another season")
        games = SeasonOpenGame.objects.select_related("open_game__sheet", *SEASON)
        row = games.filter(season=ground, open_game__public_id=public_id).first()
    if row is None:
        raise Refused(Illegal("other_event", words))
    return row
