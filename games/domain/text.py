"""A game as text: JSON of the record format, or the text notation. Nothing is stored."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from engine.illegal import Illegal
from engine.messages import Message, say
from engine.notation.lexer import NotationError
from engine.notation.text import parse_and_check
from engine.record.check import check
from engine.record.record import Record, parse, read_value
from engine.record.verdict import Verdict

BOM: Final = "\ufeff"
START: Final = re.compile(r"^[ \t\xa0]*cups-up[ \t\xa0]+notation", re.IGNORECASE | re.MULTILINE)
"""The first line of a game in the notation."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A mistake in a text and its place: path, round and move of the record; in the notation line
    and column.

    All count from 1. Unknown parts are None.
    """

    code: str
    message: Message
    path: str | None = None
    round_number: int | None = None
    move_number: int | None = None
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True, slots=True)
class PastedGame:
    """The first game of a text.

    `record`: the valid part of it, up to the fault if there is one, and `verdict` its result; both
    None if even the head can't be read. `more`: other games follow in the text.
    """

    text: str
    more: bool
    record: Record | None
    verdict: Verdict | None
    fault: Fault | None


def read_pasted(text: str) -> PastedGame:
    """Return the game in a text, with its fault if it has one.

    A text that starts with a brace or a bracket is JSON, any other is the notation."""
    text = text.removeprefix(BOM)
    if is_json(text):
        return _read_json(text)
    return _read_notation(text)


def fault_in(text: str, illegal: Illegal) -> Fault:
    """Return a fault of the first game of a text with its place in the text.

    `illegal`: a fault that the text alone doesn't show; the game is readable and breaks no rule."""
    if is_json(text):
        return _fault(illegal)
    place = next(parse_and_check(text)).game.place(illegal.path or "game")
    return replace(_fault(illegal), line=place.line, column=place.column)


def is_json(text: str) -> bool:
    """Return True if a text is JSON: it starts with a brace or a bracket."""
    return text.lstrip()[:1] in ("{", "[")


def _read_json(text: str) -> PastedGame:
    value = parse(text)
    more = False
    if isinstance(value, Illegal):
        first_line = next(line for line in text.splitlines() if line.strip())
        first_value = parse(first_line)
        more = first_line != text.strip() and not isinstance(first_value, Illegal)
        if more:
            text = first_line
            value = first_value
    record = value if isinstance(value, Illegal) else read_value(value)
    if isinstance(record, Illegal):
        return PastedGame(text, more, record=None, verdict=None, fault=_fault(record))
    verdict = check(record)
    fault = None if verdict.error is None else _fault(verdict.error)
    return _valid_part(text, more, record, verdict, fault)


def _read_notation(text: str) -> PastedGame:
    starts = [start.start() for start in START.finditer(text)]
    more = len(starts) > 1
    if more:
        text = text[: starts[1]]
    checked = next(parse_and_check(text), None)
    if checked is None:
        empty = Fault("bad_notation", say("the text is empty"))
        return PastedGame(text, more, record=None, verdict=None, fault=empty)
    fault = None if checked.error is None else _fault_at(checked.error, checked.verdict)
    record = checked.game.record
    if record is None or checked.verdict is None:
        return PastedGame(text, more, record=None, verdict=None, fault=fault)
    return _valid_part(text, more, record, checked.verdict, fault)


def _fault_at(error: NotationError, verdict: Verdict | None) -> Fault:
    """Return a fault in the notation; if it breaks a rule, the verdict knows more about it."""
    illegal = verdict and verdict.error
    fault = _fault(illegal) if illegal else Fault(error.code, error.message)
    return replace(fault, message=error.message, line=error.line, column=error.column)


def _fault(illegal: Illegal) -> Fault:
    number = illegal.turn if illegal.round_number is None else illegal.round_number
    return Fault(
        code=illegal.code,
        message=illegal.message,
        path=illegal.path,
        round_number=_from_one(number),
        move_number=_from_one(illegal.move),
    )


def _from_one(number: int | None) -> int | None:
    if number is None:
        return None
    return number + 1


def _valid_part(
    text: str, more: bool, record: Record, verdict: Verdict, fault: Fault | None
) -> PastedGame:
    """Return the game; if a round breaks the rules, cut off before it, and checked again.

    `more`: other games follow in the text. `fault`: what stopped the parser, or the broken rule;
    None if there is neither.
    """
    if verdict.error is not None:
        record = record.first(len(verdict.rounds))
        verdict = check(record)
    return PastedGame(text, more, record, verdict, fault)
