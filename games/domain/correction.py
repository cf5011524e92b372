"""The changes in a corrected game, for people to read: marked lines of the text notation."""

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
SEAT_PATH: Final = re.compile(r"(seats|result\.rank|result\.points|result\.dice)\[([0-9]+)\]")
MOST_ROUNDS: Final = 200
"""How many rounds of a difference are listed; the rest is only counted."""

MarkedLine: TypeAlias = tuple[tuple[str, bool], ...]
"""A line in pieces, each with True if it differs."""


@dataclass(frozen=True, slots=True)
class ChangedField:
    """A value of the header or the result, as texts that are empty if there is none.

    `path`: its path without the seat. `seat`: the handle of the seat that it is about, empty if
    there is none; for a field of `seats`, the seat's number from 1.
    """

    path: str
    seat: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ChangedRound:
    """A round (turn) that differs: its numbers from 1 and its lines, before and after; None
    where it doesn't exist."""

    number_before: int | None
    number_after: int | None
    before: MarkedLine | None
    after: MarkedLine | None


@dataclass(frozen=True, slots=True)
class GameChanges:
    """The differences between two records: values of the header, and rounds (turns), of which
    `more` aren't listed.

    `unit`: `round` or `turn`. `only_end`: only the end of both games is known, so no rounds can
    differ.
    """

    header: tuple[ChangedField, ...]
    rounds: tuple[ChangedRound, ...]
    more: int
    unit: str
    only_end: bool


def game_changes(before: Record, after: Record) -> GameChanges:
    """Return the differences between two records of one game, both without errors."""
    changes = record_changes(before, after)
    lines_before = _notation_lines(before)
    lines_after = _notation_lines(after)
    header = [_changed_field(change, before.seats, after.seats) for change in changes.header]
    rounds = [
        _changed_round(change, lines_before, lines_after) for change in changes.rounds[:MOST_ROUNDS]
    ]
    return GameChanges(
        header=tuple(header),
        rounds=tuple(rounds),
        more=max(0, len(changes.rounds) - MOST_ROUNDS),
        unit=after.kind.unit,
        only_end=before.outcome is not None and after.outcome is not None,
    )


def _changed_field(
    change: FieldChange, handles_before: Sequence[str], handles_after: Sequence[str]
) -> ChangedField:
    seat_path = SEAT_PATH.fullmatch(change.path)
    if seat_path:
        path = seat_path[1]
        seat = int(seat_path[2])
        label = str(seat + 1) if path == "seats" else handles_after[seat]
        return ChangedField(path, label, value_text(change.before), value_text(change.after))
    if change.path == "opener" and isinstance(change.before, int) and isinstance(change.after, int):
        return ChangedField(
            change.path, "", handles_before[change.before], handles_after[change.after]
        )
    return ChangedField(change.path, "", value_text(change.before), value_text(change.after))


def value_text(value: Json) -> str:
    """Return a value of a record for people to read: a list with commas, other values as in
    JSON."""
    if isinstance(value, list):
        return ", ".join([value_text(item) for item in value])
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def _notation_lines(record: Record) -> list[str]:
    rounds = record.kind.canonical(record.sound_rounds())
    return [LINES[record.kind].write(round_, record.seats) for round_ in rounds]


def _changed_round(
    change: RoundChange, lines_before: Sequence[str], lines_after: Sequence[str]
) -> ChangedRound:
    number = change.number_before
    number_after = change.number_after
    line = None if number is None else lines_before[number - 1]
    line_after = None if number_after is None else lines_after[number_after - 1]
    if line is None or line_after is None:
        return ChangedRound(number, number_after, _unmarked_line(line), _unmarked_line(line_after))
    return ChangedRound(number, number_after, *marked_lines(line, line_after))


def _unmarked_line(line: str | None) -> MarkedLine | None:
    if line is None:
        return None
    return ((line, False),)


def marked_lines(before: str, after: str) -> tuple[MarkedLine, MarkedLine]:
    """Return two lines with their differences marked.

    Whole words are marked, or only the differing characters if the words are of equal length.
    """
    tokens = TOKEN.findall(before)
    tokens_after = TOKEN.findall(after)
    pieces: list[tuple[str, bool]] = []
    pieces_after: list[tuple[str, bool]] = []
    matcher = SequenceMatcher(None, tokens, tokens_after, autojunk=False)
    for tag, start, end, start_after, end_after in matcher.get_opcodes():
        words = tokens[start:end]
        words_after = tokens_after[start_after:end_after]
        lengths = [len(word) for word in words]
        lengths_after = [len(word) for word in words_after]
        if tag == "replace" and lengths == lengths_after:
            _mark_characters(pieces, words, words_after)
            _mark_characters(pieces_after, words_after, words)
        else:
            pieces.append(("".join(words), tag != "equal"))
            pieces_after.append(("".join(words_after), tag != "equal"))
    return _merged(pieces), _merged(pieces_after)


def _mark_characters(
    pieces: list[tuple[str, bool]], words: Sequence[str], counterparts: Sequence[str]
) -> None:
    characters = zip("".join(words), "".join(counterparts), strict=True)
    pieces.extend((character, character != other) for character, other in characters)


def _merged(pieces: Sequence[tuple[str, bool]]) -> MarkedLine:
    joined: list[tuple[str, bool]] = []
    for text, differs in pieces:
        if joined and joined[-1][1] == differs:
            joined[-1] = (joined[-1][0] + text, differs)
        elif text:
            joined.append((text, differs))
    return tuple(joined)
