"""How a sheet came about: what each of its entries says, which were undone, and which rounds were
amended."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple

from django.utils import timezone
from django.utils.timesince import timesince
from django.utils.translation import gettext

from engine.kniffel.combinations import Announcement
from engine.notation.game import LINES
from engine.record.bluff.round import RoundRecord
from engine.record.bluff.settle import RoundResult
from engine.record.kniffel.turn import TurnRecord
from engine.record.record import Record
from engine.sheet.entry import ASIDES, stored_entry
from engine.sheet.sheet import OpenSheet
from engine.sheet.versions import WRITTEN, begin
from engine.sheet.versions import rounds_of as written_rounds
from games.domain.round import PlayedRound, played_round, rounds_of
from games.domain.turn import PlayedTurn, played_turn, turns_of
from games.models import SheetEntry
from games.models.play_again import SEALED_GAME
from league.sheets.sheet.domain.call import RulingInWords, ruling_in_words
from league.sheets.sheet.domain.table_now import announcement_of
from league.sheets.sheet.domain.words import PAGE

CLOCK_OFF: Final = timedelta(minutes=2)
"""By how much the time that a writer's clock tells may differ from the service's before a page
tells both."""

CLOSING: Final = ("close", "reveal")
"""The acts that close a round."""
SHORT: Final = timedelta(minutes=2)
"""Nobody plays a whole game in less."""


class EntryInWords(NamedTuple):
    """An entry of a sheet, and what became of it.

    `round_number`: that of the round it closes, belongs to or amends, from 1. `seat`: whose bid or
    announcement it is, or who opens. `played`: the round, or in Lügen-Kniffel the `turn`, and what
    came of it; `notation`: the same in the text notation. `reason`: why it was amended, as a code.
    `undone_by`, `amended_by`: the numbers of later entries. `device`: which of the phones wrote it,
    from 1 as they first wrote. `opened_at`: when the game was opened. `ruled`: what the arbiter
    ruled at the table."""

    entry: SheetEntry
    round_number: int
    seat: int | None = None
    bid: str = ""
    announcement: Announcement | None = None
    played: PlayedRound | None = None
    turn: PlayedTurn | None = None
    notation: str = ""
    reason: str = ""
    undone_by: int | None = None
    amended_by: int | None = None
    device: int | None = None
    opened_at: datetime | None = None
    ruled: RulingInWords | None = None

    @property
    def act(self) -> str:
        """What is done, as `engine.sheet.entry.ACTS` calls it."""
        return self.entry.act

    @property
    def is_taken_over(self) -> bool:
        """Return True if nobody wrote it here: it is taken over from a sealed game, which is played
        again."""
        return self.entry.automatic == SEALED_GAME

    @property
    def block(self) -> tuple[object, date]:
        """Whoever wrote it, and the day on which it came in: entries that follow each other and
        share both are one block of the page."""
        entry = self.entry
        writer = (entry.account_id, entry.device_id, entry.automatic)
        return writer, timezone.localdate(entry.made_at)

    @property
    def why(self) -> str:
        """Why a round was amended, in words."""
        return str(PAGE[self.reason]) if self.reason else ""

    @property
    def clock_is_off(self) -> bool:
        """Return True if it was written long before it came in, or by a clock that is wrong."""
        at = self.entry.device_at
        return at is not None and abs(at - self.entry.made_at) > CLOCK_OFF

    @property
    def clock_differs(self) -> str:
        """By how much the writer's clock differs from the service's, in words; empty where it told
        no time."""
        at = self.entry.device_at
        if at is None:
            return ""
        earlier, later = sorted((at, self.entry.made_at))
        span = timesince(earlier, later, depth=1)
        if at < self.entry.made_at:
            return gettext("%(span)s before the server’s") % {"span": span}
        return gettext("%(span)s after the server’s") % {"span": span}

    @property
    def clock_is_wrong(self) -> bool:
        """Return True if the writer's clock tells a time at which it can't have been written."""
        at = self.entry.device_at
        return at is not None and not _can_be(at, self.entry.made_at, self.opened_at)

    @property
    def key_had_ended(self) -> bool:
        """Return True if the phone's key was good no longer when this came in. When it was written,
        nobody but the phone can tell."""
        device = self.entry.device
        came_in_at = self.entry.made_at
        if device is None:
            return False
        was_revoked = device.revoked_at is not None and device.revoked_at <= came_in_at
        return was_revoked or device.ends_at <= came_in_at


def _can_be(at: datetime, came_in_at: datetime, opened_at: datetime | None) -> bool:
    """Return True if something can have been written at this time: once its game was opened, and
    before it came in."""
    if opened_at is not None and at < opened_at - CLOCK_OFF:
        return False
    return at <= came_in_at + CLOCK_OFF


def is_short(entries: Sequence[SheetEntry], opened_at: datetime) -> bool:
    """Return True if all entries of a game that is over were made in less time than any game takes:
    by the writers' clocks where they can be right, else by when they came in. It is a hint on the
    sheet's page, and decides nothing."""
    played = [entry for entry in entries if entry.act not in ASIDES]
    first, last = (_likely_at(entry, opened_at) for entry in (played[0], played[-1]))
    return last - first < SHORT


def _likely_at(entry: SheetEntry, opened_at: datetime) -> datetime:
    at = entry.device_at
    return at if at is not None and _can_be(at, entry.made_at, opened_at) else entry.made_at


def history(
    record: Record,
    entries: Sequence[SheetEntry],
    opened_at: datetime | None = None,
    version: int = WRITTEN,
) -> list[EntryInWords]:
    """Tell of all entries of a sheet of this version, which were all taken, in their order.

    `record`: the header of its game, which was opened at `opened_at`.
    """
    undone: dict[int, int] = {}
    amended: dict[int, int] = {}
    notes: list[int] = []
    closed: list[tuple[int, list[int]]] = []
    rows: list[EntryInWords] = []
    any_sheet = begin(version, record)
    sheet = written_rounds(any_sheet)
    forgotten = False  # an amendment settles all rounds again, without their notes
    for number, entry in enumerate(entries):
        value = json.loads(entry.value)
        here = len(closed) + 1
        before = record.kind.state(sheet.game) if entry.act in CLOSING else {}
        any_sheet.apply(stored_entry(entry.act, value))
        match entry.act:
            case "opener" | "challenge" | "roll" | "answer" | "leave" | "timeout":
                rows.append(EntryInWords(entry, here, seat=value["seat"]))
            case "note" | "bid" | "announce":
                notes.append(number)
                rows.append(_note(entry, here, sheet.notes[-1]))
            case "close" | "reveal":
                closed.append((number, notes))
                notes = []
                forgotten = False
                played = value["round"] if entry.act == "reveal" else value
                rows.append(_closed(entry, here, record, before, played))
            case "call" | "call_off" | "ruling":
                rows.append(_aside(entry, value, any_sheet.record.kind.name, here))
            case "amend":
                place = value["number"] - 1
                earlier, its_notes = closed[place]
                amended[earlier] = number
                closed[place] = (number, its_notes)
                forgotten = True
                rows.append(_amended(entry, place, sheet, value))
            case "take_over":
                rows.append(EntryInWords(entry, here))
            case _:
                if notes:
                    undone[notes.pop()] = number
                else:
                    last, notes = closed.pop()
                    undone[last] = number
                    if forgotten:
                        undone |= dict.fromkeys(notes, number)
                        notes = []
                rows.append(EntryInWords(entry, len(closed) + 1))
    devices = _devices_numbered(entries)
    return [
        row._replace(
            undone_by=undone.get(number),
            amended_by=amended.get(number),
            device=devices.get(row.entry.device_id),
            opened_at=opened_at,
        )
        for number, row in enumerate(rows)
    ]


def _devices_numbered(entries: Sequence[SheetEntry]) -> dict[int | None, int]:
    """Number the devices by row id, from 1 as they first wrote."""
    devices = dict.fromkeys(entry.device_id for entry in entries if entry.device_id is not None)
    return {device: number for number, device in enumerate(devices, 1)}


def _note(entry: SheetEntry, here: int, note: dict[str, Any]) -> EntryInWords:
    """What was noted, with the seat that the engine knows."""
    return EntryInWords(
        entry, here, note["seat"], note.get("bid", ""), announcement_of(note.get("say"))
    )


def _aside(entry: SheetEntry, value: dict[str, Any], kind: str, here: int) -> EntryInWords:
    """Return a call for the arbiter, its end or a ruling, at the round that it tells; it may tell
    none."""
    ruled = ruling_in_words(kind, value) if entry.act == "ruling" else None
    return EntryInWords(entry, value.get("round", here), seat=entry.seat, ruled=ruled)


def _closed(
    entry: SheetEntry, number: int, record: Record, before: dict[str, Any], value: dict[str, Any]
) -> EntryInWords:
    """Return a round that was closed, as it was settled on the table that it found: `before` is the
    table's state."""
    kind = record.kind
    table = kind.game_of_state(record.rules, before)
    unit, _ = kind.read_round(value, len(record.seats), "")
    words = EntryInWords(entry, number, notation=round_text(record, value))
    if isinstance(unit, TurnRecord):
        return words._replace(turn=played_turn(number, table, unit))
    owned = list(table.owned)
    result = kind.settle(table, unit, "", False)
    assert isinstance(unit, RoundRecord)
    assert isinstance(result, RoundResult)
    return words._replace(played=played_round(number, unit, result, table.rules, owned))


def _amended(
    entry: SheetEntry, place: int, sheet: OpenSheet, value: dict[str, Any]
) -> EntryInWords:
    """Return a round, counted from 0, as it stands on a sheet on which it was amended last."""
    record = sheet.whole()
    notation = round_text(record, value["round"])
    words = EntryInWords(entry, place + 1, notation=notation, reason=value["reason"])
    if record.kind.name != "bluff":
        return words._replace(turn=turns_of(record)[place])
    return words._replace(played=rounds_of(record)[place])


def round_text(record: Record, value: dict[str, Any] | None) -> str:
    """Return a round in the text notation, with the players' handles; empty for none."""
    if value is None:
        return ""
    unit, _ = record.kind.read_round(value, len(record.seats), "")
    return LINES[record.kind].write(unit, record.seats).strip()
