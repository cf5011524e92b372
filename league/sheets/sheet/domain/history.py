"""The history of a sheet: what each entry says, which entries were undone, and which rounds were
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
"""How far a writer's clock may be from the service's before a page shows both times."""

CLOSING: Final = ("close", "reveal")
"""The acts that close a round."""
SHORT: Final = timedelta(minutes=2)
"""The time below which nobody can have played a whole game."""


class EntryInWords(NamedTuple):
    """An entry of a sheet, as pages show it.

    `round_number`: the round that the entry closes, belongs to or amends, from 1. `seat`: the seat
    that bids, announces or opens. `played`: the closed round with its result; in Lügen-Kniffel
    `turn`; `notation`: the same round in the text notation. `reason`: why the round was amended, as
    a code. `undone_by`, `amended_by`: the number of the later entry that did so. `device`: the
    number of the phone that wrote the entry, from 1 in the order of their first entries.
    `opened_at`: when the game was opened. `ruled`: the arbiter's ruling at the table."""

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
        """The act of the entry, one of `engine.sheet.entry.ALL_ACTS`."""
        return self.entry.act

    @property
    def is_taken_over(self) -> bool:
        """Return True if the entry was copied from the sealed game that is played again."""
        return self.entry.automatic == SEALED_GAME

    @property
    def block(self) -> tuple[object, date]:
        """The writer of the entry and the day on which it came in. Consecutive entries that share
        both form one block of the page."""
        entry = self.entry
        writer = (entry.account_id, entry.device_id, entry.automatic)
        return writer, timezone.localdate(entry.made_at)

    @property
    def why(self) -> str:
        """Why a round was amended, in words."""
        return str(PAGE[self.reason]) if self.reason else ""

    @property
    def clock_is_off(self) -> bool:
        """Return True if the writer's clock and the time of arrival differ by more than
        `CLOCK_OFF`."""
        at = self.entry.device_at
        return at is not None and abs(at - self.entry.made_at) > CLOCK_OFF

    @property
    def clock_differs(self) -> str:
        """How far the writer's clock is from the service's, in words; empty if the writer sent no
        time."""
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
        """Return True if the entry can't have been written at the time by the writer's clock."""
        at = self.entry.device_at
        return at is not None and not _is_possible(at, self.entry.made_at, self.opened_at)

    @property
    def key_had_ended(self) -> bool:
        """Return True if the phone's key had ended, or was revoked, when the entry came in. The
        entry may still have been written before."""
        device = self.entry.device
        came_in_at = self.entry.made_at
        if device is None:
            return False
        was_revoked = device.revoked_at is not None and device.revoked_at <= came_in_at
        return was_revoked or device.ends_at <= came_in_at


def _is_possible(at: datetime, came_in_at: datetime, opened_at: datetime | None) -> bool:
    if opened_at is not None and at < opened_at - CLOCK_OFF:
        return False
    return at <= came_in_at + CLOCK_OFF


def is_short(entries: Sequence[SheetEntry], opened_at: datetime) -> bool:
    """Return True if the entries of a finished game were written in less time than any game takes.
    The sheet's page then asks whether it was the whole game; nothing else depends on this."""
    played = [entry for entry in entries if entry.act not in ASIDES]
    duration = _likely_time(played[-1], opened_at) - _likely_time(played[0], opened_at)
    return duration < SHORT


def _likely_time(entry: SheetEntry, opened_at: datetime) -> datetime:
    at = entry.device_at
    if at is not None and _is_possible(at, entry.made_at, opened_at):
        return at
    return entry.made_at


def history(
    record: Record,
    entries: Sequence[SheetEntry],
    opened_at: datetime | None = None,
    version: int = WRITTEN,
) -> list[EntryInWords]:
    """Return all entries of a sheet, in their order, as pages show them. The entries are valid: the
    sheet has accepted them.

    `record`: the header of the game; `opened_at`: when it was opened; `version`: of the sheet.
    """
    undone_by: dict[int, int] = {}
    amended_by: dict[int, int] = {}
    notes: list[int] = []  # The numbers of the current round's notes.
    closed: list[tuple[int, list[int]]] = []  # The closing entry of each round, and its notes.
    rows: list[EntryInWords] = []
    any_sheet = begin(version, record)
    sheet = written_rounds(any_sheet)
    notes_are_lost = False  # An amendment settles all rounds again, without their notes.
    for number, entry in enumerate(entries):
        value = json.loads(entry.value)
        current_round = len(closed) + 1
        state_before = record.kind.state(sheet.game) if entry.act in CLOSING else {}
        any_sheet.apply(stored_entry(entry.act, value))
        match entry.act:
            case "opener" | "challenge" | "roll" | "answer" | "leave" | "timeout":
                rows.append(EntryInWords(entry, current_round, seat=value["seat"]))
            case "note" | "bid" | "announce":
                notes.append(number)
                rows.append(_noted(entry, current_round, sheet.notes[-1]))
            case "close" | "reveal":
                closed.append((number, notes))
                notes = []
                notes_are_lost = False
                round_value = value["round"] if entry.act == "reveal" else value
                rows.append(_closed(entry, current_round, record, state_before, round_value))
            case "call" | "call_off" | "ruling":
                rows.append(_aside(entry, value, any_sheet.record.kind.name, current_round))
            case "amend":
                index = value["number"] - 1
                amended_entry, round_notes = closed[index]
                amended_by[amended_entry] = number
                closed[index] = (number, round_notes)
                notes_are_lost = True
                rows.append(_amended(entry, index, sheet, value))
            case "take_over":
                rows.append(EntryInWords(entry, current_round))
            case _:  # An undo: of the last note, or else of the last round.
                if notes:
                    undone_by[notes.pop()] = number
                else:
                    closing_entry, notes = closed.pop()
                    undone_by[closing_entry] = number
                    if notes_are_lost:
                        undone_by |= dict.fromkeys(notes, number)
                        notes = []
                rows.append(EntryInWords(entry, len(closed) + 1))
    device_numbers = _device_numbers(entries)
    return [
        row._replace(
            undone_by=undone_by.get(number),
            amended_by=amended_by.get(number),
            device=device_numbers.get(row.entry.device_id),
            opened_at=opened_at,
        )
        for number, row in enumerate(rows)
    ]


def _device_numbers(entries: Sequence[SheetEntry]) -> dict[int | None, int]:
    devices = dict.fromkeys(entry.device_id for entry in entries if entry.device_id is not None)
    return {device: number for number, device in enumerate(devices, start=1)}


def _noted(entry: SheetEntry, round_number: int, note: dict[str, Any]) -> EntryInWords:
    return EntryInWords(
        entry,
        round_number,
        seat=note["seat"],
        bid=note.get("bid", ""),
        announcement=announcement_of(note.get("say")),
    )


def _aside(entry: SheetEntry, value: dict[str, Any], kind: str, current_round: int) -> EntryInWords:
    ruled = ruling_in_words(kind, value) if entry.act == "ruling" else None
    return EntryInWords(entry, value.get("round", current_round), seat=entry.seat, ruled=ruled)


def _closed(
    entry: SheetEntry,
    number: int,
    record: Record,
    state_before: dict[str, Any],
    round_value: dict[str, Any],
) -> EntryInWords:
    kind = record.kind
    game = kind.game_of_state(record.rules, state_before)
    unit, _ = kind.read_round(round_value, len(record.seats), "")
    row = EntryInWords(entry, number, notation=round_text(record, round_value))
    if isinstance(unit, TurnRecord):
        return row._replace(turn=played_turn(number, game, unit))
    owned_before = list(game.owned)
    result = kind.settle(game, unit, "", False)
    assert isinstance(unit, RoundRecord)
    assert isinstance(result, RoundResult)
    return row._replace(played=played_round(number, unit, result, game.rules, owned_before))


def _amended(
    entry: SheetEntry, index: int, sheet: OpenSheet, value: dict[str, Any]
) -> EntryInWords:
    """Return an entry that amends a round. `index`: of the round, from 0; `sheet`: after this
    entry."""
    record = sheet.whole()
    notation = round_text(record, value["round"])
    row = EntryInWords(entry, index + 1, notation=notation, reason=value["reason"])
    if record.kind.name != "bluff":
        return row._replace(turn=turns_of(record)[index])
    return row._replace(played=rounds_of(record)[index])


def round_text(record: Record, value: dict[str, Any] | None) -> str:
    """Return a round, given as a record's JSON, in the text notation with the players' handles;
    empty for None."""
    if value is None:
        return ""
    unit, _ = record.kind.read_round(value, len(record.seats), "")
    return LINES[record.kind].write(unit, record.seats).strip()
