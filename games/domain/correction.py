"""What a correction changes in a game, as people read it: lines of the text notation with what differs marked."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final, TypeAlias

from engine.notation.game import LINES
from engine.record.changes import FieldChange, RoundChange, record_changes
from engine.record.record import Record
from engine.record.shape import Json

TOKEN: Final = re.compile(r"\s+|[^\s]+")
OF_SEAT: Final = re.compile(r"(seats|result\.rank|result\.points)\[([0-9]+)\]")
SHOWN: Final = 200
"""So many rounds are shown; of a longer difference the others are counted."""

Marked: TypeAlias = tuple[tuple[str, bool], ...]
"""A line in pieces, and whether each of them differs."""


@dataclass(frozen=True, slots=True)
class ChangedField:
    """A value of the header or the result, as texts that are empty where there is none.

    `what`: its path without the seat. `seat`: the handle of the seat that it is about, of `seats` its number from 1,
    empty if it is about none.
    """

    what: str
    seat: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ChangedRound:
    """A round (turn) that differs, by its numbers from 1 before and after, and its lines; None where there is none."""

    number_before: int | None
    number_after: int | None
    before: Marked | None
    after: Marked | None


@dataclass(frozen=True, slots=True)
class GameChanges:
    """What differs between two records: values of the header, and rounds (turns), of which `more` aren't shown.

    `unit`: `round` or `turn`.
    """

    header: tuple[ChangedField, ...]
    rounds: tuple[ChangedRound, ...]
    more: int
    unit: str


def game_changes(before: Record, after: Record) -> GameChanges:
    """What differs between two records of one game, both of them good."""
    changes = record_changes(before, after)
    old, new = _lines(before), _lines(after)
    return GameChanges(
        header=tuple([_field(change, before.seats, after.seats) for change in changes.header]),
        rounds=tuple([_changed(change, old, new) for change in changes.rounds[:SHOWN]]),
        more=max(0, len(changes.rounds) - SHOWN),
        unit=after.kind.unit,
    )


def _field(change: FieldChange, before: Sequence[str], after: Sequence[str]) -> ChangedField:
    of_seat = OF_SEAT.fullmatch(change.path)
    if of_seat:
        what, seat = of_seat[1], int(of_seat[2])
        label = str(seat + 1) if what == "seats" else after[seat]
        return ChangedField(what, label, spelt(change.before), spelt(change.after))
    if change.path == "opener" and isinstance(change.before, int) and isinstance(change.after, int):
        return ChangedField(change.path, "", before[change.before], after[change.after])
    return ChangedField(change.path, "", spelt(change.before), spelt(change.after))


def spelt(value: Json) -> str:
    """A value of a record as people read it: a list with commas, all else that is no text as JSON has it."""
    if isinstance(value, list):
        return ", ".join([spelt(item) for item in value])
    return "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _lines(record: Record) -> list[str]:
    """The rounds in the notation, without their numbers."""
    write = LINES[record.kind].write
    return [write(round_, record.seats) for round_ in record.kind.canonical(record.sound_rounds())]


def _changed(change: RoundChange, before: Sequence[str], after: Sequence[str]) -> ChangedRound:
    number, number_after = change.number_before, change.number_after
    old = None if number is None else before[number - 1]
    new = None if number_after is None else after[number_after - 1]
    if old is None or new is None:
        return ChangedRound(number, number_after, _whole(old), _whole(new))
    return ChangedRound(number, number_after, *marked(old, new))


def _whole(line: str | None) -> Marked | None:
    return None if line is None else ((line, False),)


def marked(before: str, after: str) -> tuple[Marked, Marked]:
    """Two lines with what differs marked: whole words, and of two words of equal length the signs that differ."""
    old, new = TOKEN.findall(before), TOKEN.findall(after)
    was: list[tuple[str, bool]] = []
    now: list[tuple[str, bool]] = []
    for tag, first, last, new_first, new_last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        gone, come = old[first:last], new[new_first:new_last]
        if tag == "replace" and [*map(len, gone)] == [*map(len, come)]:
            _mark_signs(was, gone, come)
            _mark_signs(now, come, gone)
        else:
            was.append(("".join(gone), tag != "equal"))
            now.append(("".join(come), tag != "equal"))
    return _joined(was), _joined(now)


def _mark_signs(pieces: list[tuple[str, bool]], words: Sequence[str], others: Sequence[str]) -> None:
    pieces.extend((sign, sign != other) for sign, other in zip("".join(words), "".join(others), strict=True))


def _joined(pieces: Sequence[tuple[str, bool]]) -> Marked:
    """The pieces with neighbours of one kind made one; empty ones dropped."""
    joined: list[tuple[str, bool]] = []
    for text, differs in pieces:
        if joined and joined[-1][1] == differs:
            joined[-1] = (joined[-1][0] + text, differs)
        elif text:
            joined.append((text, differs))
    return tuple(joined)
