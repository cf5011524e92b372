"""Compare two sheets of one game whose writers didn't see each other's."""

from __future__ import annotations

from collections.abc import Set
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from engine.illegal import Illegal
from engine.record.record import Record

MARKS: Final = ("forfeit", "void", "ended", "doubts")
"""Keys that a record has only where they apply: two records must both have one, or both lack it."""


def differing_rounds(record: Record, other: Record) -> list[int]:
    """Return the numbers, from 1, of the rounds (turns) in which two records of a game disagree.

    Records with the same level of detail must be equal. If one has more detail (every bid instead
    of only the losses), what follows from both must be equal. A round that only one record has
    differs.
    """
    numbers = []
    for number, pair in enumerate(zip_longest(_rounds(record), _rounds(other)), 1):
        if not _agree(*pair):
            numbers.append(number)
    return numbers


class _Round(NamedTuple):
    """A round for comparison: its keys in the record, and their values together with its result."""

    keys: Set[str]
    facts: dict[str, Any]


def _rounds(record: Record) -> list[_Round]:
    game = record.start()
    kind = record.kind
    rounds = []
    for unit in record.rounds:
        # No round lacks its end, so none is settled as the last one.
        is_last = False
        result = kind.settle(game, unit, "", is_last)
        if isinstance(result, Illegal):
            raise ValueError(result.message)
        value = kind.round_json(unit)
        rounds.append(_Round(value.keys(), result.as_json() | value))
    return rounds


def _agree(first: _Round | None, second: _Round | None) -> bool:
    """Return True if nothing that both rounds tell differs; False if one of them doesn't exist."""
    if first is None or second is None:
        return False

    common = first.facts.keys() & second.facts.keys()
    if first.keys != second.keys:
        # One may have all bids and the other only the last bid, which is in both results.
        common -= {"moves"}
    for key in common:
        value = first.facts[key]
        other = second.facts[key]
        if value is not None and other is not None and value != other:
            return False
    return all(first.facts.get(mark) == second.facts.get(mark) for mark in MARKS)
