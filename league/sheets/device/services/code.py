"""Taking in what a phone without network wrote, by the code that it shows."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple
from uuid import NAMESPACE_OID, uuid5

from engine.illegal import Illegal, Refused
from engine.messages import say
from games.models import Device, SheetBranch
from games.services.open_game import Writer
from league.events.event.models import Event
from league.sheets.device.domain.code import Code, read_code
from league.sheets.device.domain.key import device_keys
from league.sheets.sheet.models import ClubOpenGame, SeasonOpenGame, TableOpenGame
from league.sheets.sheet.queries.access import SEASON, TABLE
from league.sheets.sheet.services.writing import sheet_write
from league.standings.season.models import Season


class TakenCode(NamedTuple):
    """An open game, how many entries stand on its sheet that weren't there before, and the `branch`
    that is kept beside it: what came too late, or by a key that had ended."""

    row: ClubOpenGame
    added: int
    branch: SheetBranch | None

    @property
    def is_late(self) -> bool:
        """Return True if some of it doesn't stand on the sheet."""
        return self.branch is not None

    @property
    def waits_until(self) -> datetime | None:
        """Until when that waits to be let in; None unless the phone's key had ended."""
        return None if self.branch is None else self.branch.waits_until


def code_take(*, ground: Event | Season, text: str) -> TakenCode:
    """Enter what a phone wrote at a table of an event, or of a game of a season without a table, as
    if it had sent it itself; twice is once.

    Raise `Refused`: as `read_code` does, with `other_event`, with `forged_code` (no phone with a
    key made it), and as `sheet_write` does."""
    code = read_code(text)
    row = _open_game(ground, code.open_game)
    device = _signer(row, code)
    written = sheet_write(
        row=row,
        after=code.after,
        entries=code.entries,
        writer=Writer(device=(device.pk, device.public_id)),
        key=uuid5(NAMESPACE_OID, code.text),
        keeps_late=True,
    )
    return TakenCode(row, sum(entry.created for entry in written.added), written.branch)


def _signer(row: ClubOpenGame, code: Code) -> Device:
    """Return the phone that made a code, among those with a key to the game. Raise `Refused` with
    `forged_code`."""
    for club_device in row.subject.devices.select_related("device"):
        device = club_device.device
        if any(code.is_signed_by(key) for key in device_keys(device.public_id)):
            return device
    raise Refused(Illegal("forged_code", say("no phone with a key of this game made this code")))


def _open_game(ground: Event | Season, public_id: str) -> ClubOpenGame:
    """Return the open game of a code, at a table of an event or without one in a season. Raise
    `Refused`."""
    row: ClubOpenGame | None
    if isinstance(ground, Event):
        words = say("this code is of a game of another event")
        tables = TableOpenGame.objects.select_related("open_game__sheet", "submission", *TABLE)
        row = tables.filter(
            table__stage_round__stage__event=ground, open_game__public_id=public_id
        ).first()
    else:
        words = say("this code is of a game of an event, or of another season")
        games = SeasonOpenGame.objects.select_related("open_game__sheet", *SEASON)
        row = games.filter(season=ground, open_game__public_id=public_id).first()
    if row is None:
        raise Refused(Illegal("other_event", words))
    return row
