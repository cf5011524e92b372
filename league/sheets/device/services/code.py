"""Taking in what a phone without network wrote, from the code that it shows."""

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
    """The result of a code: the open game, how many entries were `added` to its sheet, and the
    `branch` with the others, which came too late or with a key that had ended."""

    row: ClubOpenGame
    added: int
    branch: SheetBranch | None

    @property
    def is_late(self) -> bool:
        """Return True if some entries couldn't be added to the sheet."""
        return self.branch is not None

    @property
    def waits_until(self) -> datetime | None:
        """Return until when the branch can be let in; None unless the phone's key had ended."""
        return None if self.branch is None else self.branch.waits_until


def code_take(*, ground: Event | Season, text: str) -> TakenCode:
    """Add the entries in a phone's code to its sheet, as if the phone had sent them itself.
    Idempotent.

    `ground`: the event at whose table, or the season in which, the game is played. Raise `Refused`:
    `other_event` for a game elsewhere, `forged_code` if no phone with a key made the code, and as
    `read_code` and `sheet_write` do."""
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
    for club_device in row.subject.devices.select_related("device"):
        device = club_device.device
        if any(code.is_signed_by(key) for key in device_keys(device.public_id)):
            return device
    raise Refused(Illegal("forged_code", say("no phone with a key of this game made this code")))


def _open_game(ground: Event | Season, public_id: str) -> ClubOpenGame:
    row: ClubOpenGame | None
    if isinstance(ground, Event):
        refusal = say("this code is of a game of another event")
        table_games = TableOpenGame.objects.select_related("open_game__sheet", "submission", *TABLE)
        row = table_games.filter(
            table__stage_round__stage__event=ground, open_game__public_id=public_id
        ).first()
    else:
        refusal = say("this code is of a game of an event, or of another season")
        season_games = SeasonOpenGame.objects.select_related("open_game__sheet", *SEASON)
        row = season_games.filter(season=ground, open_game__public_id=public_id).first()
    if row is None:
        raise Refused(Illegal("other_event", refusal))
    return row
