"""The changes that a correction brings to a game, as people read them: marked lines of the text
notation."""

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
OF_SEAT: Final = re.compile(r"(seats|result\.rank|result\.points|result\.dice)\[([0-9]+)\]")
MOST_ROUNDS: Final = 200
"""Rounds of a difference that are listed; the rest is only counted."""

MarkedLine: TypeAlias = tuple[tuple[str, bool], ...]
"""A line in pieces, and whether each of them differs."""


@dataclass(frozen=True, slots=True)
class ChangedField:
    """A value of the header or the result, as texts that are empty where there is none.

    `path`: its path without the seat. `seat`: the handle of the seat that it is about, of `seats`
    its number from 1, empty if it is about none."""

    path: str
    seat: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ChangedRound:
    """A round (turn) that differs, by its numbers from 1 before and after, and its lines; None
    where there is none."""

    number_before: int | None
    number_after: int | None
    before: MarkedLine | None
    after: MarkedLine | None


@dataclass(frozen=True, slots=True)
class GameChanges:
    """The differences between two records: values of the header, and rounds (turns), of which
    `more` aren't listed.

    `unit`: `round` or `turn`. `only_end`: of both only the end is known, so there are none.
    """

    header: tuple[ChangedField, ...]
    rounds: tuple[ChangedRound, ...]
    more: int
    unit: str
    only_end: bool


def game_changes(before: Record, after: Record) -> GameChanges:
    """The differences between two records of one game, both of them good."""
    changes = record_changes(before, after)
    lines_before, lines_after = _lines(before), _lines(after)
    return GameChanges(
        header=tuple(
            [_changed_field(change, before.seats, after.seats) for change in changes.header]
        ),
        rounds=tuple(
            [
                _changed_round(change, lines_before, lines_after)
                for change in changes.rounds[:MOST_ROUNDS]
            ]
        ),
        more=max(0, len(changes.rounds) - MOST_ROUNDS),
        unit=after.kind.unit,
        only_end=before.outcome is not None and after.outcome is not None,
    )


def _changed_field(
    change: FieldChange, before: Sequence[str], after: Sequence[str]
) -> ChangedField:
    of_seat = OF_SEAT.fullmatch(change.path)
    if of_seat:
        path, seat = of_seat[1], int(of_seat[2])
        label = str(seat + 1) if path == "seats" else after[seat]
        return ChangedField(path, label, value_text(change.before), value_text(change.after))
    if change.path == "opener" and isinstance(change.before, int) and isinstance(change.after, int):
        return ChangedField(change.path, "", before[change.before], after[change.after])
    return ChangedField(change.path, "", value_text(change.before), value_text(change.after))


def value_text(value: Json) -> str:
    """A value of a record as people read it: a list with commas, all else that is no text as JSON
    has it."""
    if isinstance(value, list):
        return ", ".join([value_text(item) for item in value])
    return (
        ""
        if value is None
        else value
        if isinstance(value, str)
        else json.dumps(value, ensure_ascii=False)
    )


def _lines(record: Record) -> list[str]:
    """The rounds in the notation, without their numbers."""
    return [
        LINES[record.kind].write(round_, record.seats)
        for round_ in record.kind.canonical(record.sound_rounds())
    ]


def _changed_round(
    change: RoundChange, before: Sequence[str], after: Sequence[str]
) -> ChangedRound:
    number, number_after = change.number_before, change.number_after
    line = None if number is None else before[number - 1]
    line_after = None if number_after is None else after[number_after - 1]
    if line is None or line_after is None:
        return ChangedRound(number, number_after, _unmarked_line(line), _unmarked_line(line_after))
    return ChangedRound(number, number_after, *marked_lines(line, line_after))


def _unmarked_line(line: str | None) -> MarkedLine | None:
    return None if line is None else ((line, False),)


def marked_lines(before: str, after: str) -> tuple[MarkedLine, MarkedLine]:
    """Two lines with what differs marked: whole words, and of two words of equal length the signs
    that differ."""
    tokens, tokens_after = TOKEN.findall(before), TOKEN.findall(after)
    pieces: list[tuple[str, bool]] = []
    pieces_after: list[tuple[str, bool]] = []
    matcher = SequenceMatcher(None, tokens, tokens_after, autojunk=False)
    for tag, start, end, start_after, end_after in matcher.get_opcodes():
        words, words_after = tokens[start:end], tokens_after[start_after:end_after]
        if tag == "replace" and [*map(len, words)] == [*map(len, words_after)]:
            _mark_signs(pieces, words, words_after)
            _mark_signs(pieces_after, words_after, words)
        else:
            pieces.append(("".join(words), tag != "equal"))
            pieces_after.append(("".join(words_after), tag != "equal"))
    return _joined(pieces), _joined(pieces_after)


def _mark_signs(
    pieces: list[tuple[str, bool]], words: Sequence[str], counterparts: Sequence[str]
) -> None:
    """Add the signs of words to the pieces; marked are those that their counterparts don't have in
    that place."""
    signs = zip("".join(words), "".join(counterparts), strict=True)
    pieces.extend((sign, sign != counterpart) for sign, counterpart in signs)


def _joined(pieces: Sequence[tuple[str, bool]]) -> MarkedLine:
    """The pieces with neighbours of one kind made one; empty ones dropped."""
    joined: list[tuple[str, bool]] = []
    for text, differs in pieces:
        if joined and joined[-1][1] == differs:
            joined[-1] = (joined[-1][0] + text, differs)
        elif text:
            joined.append((text, differs))
    return tuple(joined)
